// The server: answers the preload's calls with persistent netlink sockets.
#pragma once

#include <string>

#include "shim/log/log.h"
#include "shim/server/listeners.h"
#include "shim/wire/wire.h"

namespace nlsh {

struct ServerSettings {
    std::string socket = NLSH_DEFAULT_SOCKET;  // prefix: SOCKET.CPU for each processor, SOCKET.lock
    SocketOwner owner = {};
    bool filtered = true;  // by seccomp; off for valgrind and sanitizers
    bool heir = false;     // a second process answers the callers of a killed server (heir.h)
    bool by_proc = false;  // inspect callers by /proc only (place.h)
    // The most lines that run at a time, over all processors. 0: see threads_of_processor.
    unsigned threads_max = 0;
    unsigned remembered = 4096;  // the most parsed lines to cache
    bool decline_all = false;    // decline every line
    Level log = Level::off;
    std::optional<double> verify = {};  // the share of read-only lines that run both ways (Sampler)
    std::string verify_log = {};        // a file for the differences
    std::string audit = {};             // a file, or "journal", for lines that change something
    unsigned audit_rate = 200;          // records a second
};

// Serves until SIGTERM or SIGINT, then finishes running lines, removes its sockets and returns 0.
// Drops all capabilities but a few for good (rights.h). 1: can't start; stderr has the reason.
int serve(const ServerSettings& settings);

}  // namespace nlsh
