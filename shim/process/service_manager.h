// The interface of a service manager such as systemd: sd_listen_fds(3), sd_notify(3),
// sd_watchdog_enabled(3). A server that was started by hand has none of it.
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

#include "backend/descriptor.h"

namespace nlsh {

// The listening sockets that the manager passes ($LISTEN_FDS). Call it once: it removes the
// variables from the environment.
std::vector<Descriptor> inherited_sockets();

// How often the manager expects WATCHDOG=1; 0: never.
std::chrono::microseconds watchdog_interval();

// Sends a state to the manager ($NOTIFY_SOCKET), such as READY=1.
void notify_manager(std::string_view state);

}  // namespace nlsh
