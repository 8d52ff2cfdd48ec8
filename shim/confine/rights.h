// What the server may do: the capabilities that it keeps, and the system calls that are left to it.
#pragma once

#include <linux/capability.h>
#include <sys/types.h>

#include <cstdint>
#include <expected>
#include <string>

#include "shim/rights/exec_rights.h"

namespace nlsh {

constexpr uint64_t capability(int number) {
    return 1ULL << number;
}

// Those that a line may need: to change the network, to write what /proc/sys guards by them, to
// load the module that has a device's name (the kernel does so on a look-up), and to open files. A
// caller is served only if its own exec would have had the same of them as the server has.
inline constexpr uint64_t line_capabilities = EXEC_LINE_CAPABILITIES;
// And those of the server itself: setns is CAP_SYS_ADMIN's, too; to look at a peer's /proc/PID/ns;
// to give its threads their turn.
inline constexpr uint64_t kept_capabilities =
    line_capabilities | capability(CAP_SYS_PTRACE) | capability(CAP_SYS_NICE);

// Those of a process that are effective at present (0: the calling thread's own); none when it is
// gone. 0.4 us, where its /proc/PID/status takes 30.
uint64_t effective_capabilities(pid_t process);

// What a server keeps. Without CAP_SYS_PTRACE, as in most containers, that is all that there are:
// the kernel lets a process look only at processes whose capabilities it has itself.
uint64_t server_capabilities();

// For the calling thread and those that it makes: drops all other capabilities for good, gives up
// gaining any by exec, and (unless for a debugger) installs the filter. The error says what failed.
std::expected<void, std::string> drop_rights(bool filtered = true,
                                             uint64_t kept = kept_capabilities);

// system_calls.cpp: allows what the server does; all else fails with EPERM, exec among it.
std::expected<void, std::string> filter_system_calls();

}  // namespace nlsh
