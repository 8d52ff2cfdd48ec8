// Switches that turn nlsh off.
#pragma once

#include <string>

namespace nlsh {

// The kill switch: `disable` beside a server's sockets (/run/nlsh/disable).
std::string kill_switch_file(const std::string& socket_prefix);

// For commands in process: why every line falls back; empty: nlsh is on. The reason: NLSH_DISABLE
// is set (to anything but "" and "0"), or the kill switch of $NLSH_SOCKET's server exists.
std::string disabled_reason();
// The parts of disabled_reason(): the variable's reason or null, and the kill switch's file.
const char* variable_refusal();
std::string own_kill_switch();
inline constexpr char kill_switch_is_on[] = "the kill switch is on";

// Call it before the process opens anything. Why it can't run commands natively: a limit that kills
// writers, a directory of which the shell would complain, or a closed output. Empty: it can.
std::string surroundings_refusal();
// The part that may change between commands, because redirections come with a command.
const char* outputs_refusal();
// The other part.
const char* process_refusal();

}  // namespace nlsh
