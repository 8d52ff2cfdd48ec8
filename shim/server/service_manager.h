// What a service manager such as systemd hands to a server and wants to hear from it:
// sd_listen_fds(3), sd_notify(3), sd_watchdog_enabled(3). Nothing of it is there when the server
// was started by hand.
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

#include "backend/descriptor.h"

namespace nlsh {

// The listening sockets that the manager holds for us ($LISTEN_FDS). To be called once: they are
// removed from the environment.
std::vector<Descriptor> inherited_sockets();

// How often the manager wants to hear WATCHDOG=1; 0: never.
std::chrono::microseconds watchdog_interval();

// Tells the manager ($NOTIFY_SOCKET), say READY=1.
void notify_manager(std::string_view state);

}  // namespace nlsh
