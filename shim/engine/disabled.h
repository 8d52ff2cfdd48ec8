// Switches that turn nlsh off.
#pragma once

#include <string>

namespace nlsh {

// The kill switch: `disable` beside a server's sockets (/run/nlsh/disable).
std::string kill_switch_file(const std::string& socket_prefix);

// For commands in process: why every line falls back; empty: it doesn't. NLSH_DISABLE is set (to
// anything but "" and "0"), or the kill switch of $NLSH_SOCKET's server exists.
std::string disabled_reason();
// Its two parts: a reason or null, and the file.
const char* variable_refusal();
std::string own_kill_switch();
inline constexpr char kill_switch_is_on[] = "the kill switch is on";

// For a process that is about to run commands, before it has opened anything: a limit that ends a
// writer, a reason for the shell to complain, or a closed output. Empty: none.
std::string surroundings_refusal();
// The checks of the above that may change between commands: redirections are made around a command.
const char* outputs_refusal();
// The other checks of the above.
const char* process_refusal();

}  // namespace nlsh
