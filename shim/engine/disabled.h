// What switches nlsh off.
#pragma once

#include <string>

namespace nlsh {

// The file whose presence does: `disable` beside a server's sockets (/run/nlsh/disable).
std::string kill_switch_file(const std::string& socket_prefix);

// For commands in process: why everything goes the real way; empty when it doesn't. NLSH_DISABLE is
// set (to anything but "" and "0"), or the file of $NLSH_SOCKET's server exists.
std::string disabled_reason();

// For a process that runs commands as the real ones would be, before it has opened anything: what
// ends a program that writes, makes the shell say something, or takes its stdout away. Empty:
// nothing does.
std::string surroundings_refusal();
// Of these, what may change without the process's doing anything about itself: redirections are
// made around a command.
const char* outputs_refusal();
// The rest of them.
const char* process_refusal();

}  // namespace nlsh
