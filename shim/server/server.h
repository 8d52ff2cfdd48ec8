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
    bool filtered = true;  // by seccomp; not for valgrind and sanitizers
    bool heir = false;     // who is killed leaves one that answers its callers (heir.h)
    bool by_proc = false;  // callers are looked at by /proc alone (place.h)
    // Workers, over all processors: so many lines run at a time. 0: as threads_of_processor has it.
    unsigned threads_max = 0;
    unsigned remembered = 4096;  // parsed lines, kept for when they come again
    bool decline_all = false;    // leave everything to the real one
    Level log = Level::off;
    double verify = 0;            // this share of read-only lines is run both ways (shim/verify)
    std::string verify_log = {};  // a file for the differences
    std::string audit = {};       // a file, or "journal", for the lines that change something
    unsigned audit_rate = 200;    // records a second
};

// Serves until SIGTERM or SIGINT, then finishes what runs, removes its sockets and returns 0.
// Keeps few rights (rights.h), of which nothing comes back. 1: can't start; the reason is on
// stderr.
int serve(const ServerSettings& settings);

}  // namespace nlsh
