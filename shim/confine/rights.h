// The server's own limits: the capabilities that it keeps, and the system calls that it may make.
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

// Capabilities that a line may need: to change the network, to write files of /proc/sys, to load a
// device's module (the kernel does so at a look-up), and to open files. The server serves a caller
// only if the caller's own exec would have the same of these as the server.
inline constexpr uint64_t line_capabilities = EXEC_LINE_CAPABILITIES;
// Also what the server itself needs: to read a peer's /proc/PID/ns, and to prioritise its threads.
// (setns takes CAP_SYS_ADMIN, which lines need, too.)
inline constexpr uint64_t kept_capabilities =
    line_capabilities | capability(CAP_SYS_PTRACE) | capability(CAP_SYS_NICE);

// A process's effective capabilities (0: the calling thread's); none if the process has gone. Takes
// 0.4 µs, while reading /proc/PID/status takes 30.
uint64_t effective_capabilities(pid_t process);

// The capabilities that a server keeps. Without CAP_SYS_PTRACE, as in most containers, keeps all:
// the kernel then lets a process inspect only processes that have no more capabilities.
uint64_t server_capabilities();

// For the calling thread and its later threads: drops all other capabilities for good, so that exec
// gains none, and installs the filter (off for debuggers). The error says what failed.
std::expected<void, std::string> drop_rights(bool filtered = true,
                                             uint64_t kept = kept_capabilities);

// system_calls.cpp: allows what the server does. Everything else, such as exec, fails with EPERM.
std::expected<void, std::string> filter_system_calls();

}  // namespace nlsh
