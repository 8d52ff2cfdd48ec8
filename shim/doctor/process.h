// The facts that `nlsh doctor` reads of a process in /proc.
#pragma once

#include <sys/types.h>

#include <expected>
#include <string>
#include <vector>

#include "backend/descriptor.h"

namespace nlsh {

struct Namespace {
    Descriptor file;
    int type;  // CLONE_NEW…
};

struct ProcessView {
    pid_t pid = 0;
    std::string name;
    std::vector<std::string> environment;  // as at the process's start
    std::string preload;                   // the library's path, as the process sees it; or empty
    // The RIGHTS argument of nlsh-trial: ids, capability sets, no_new_privs, seccomp and groups, as
    // numbers with blanks between them, in the process's user namespace. Empty: the same as this
    // process's.
    std::string rights;
    std::vector<Namespace> namespaces;  // other than this process's; the user namespace first
    Descriptor root;
    bool filtered = false;  // has a seccomp filter, unlike this process

    // "": not set.
    std::string variable(const std::string& name) const;
};

// The error says what can't be read.
std::expected<ProcessView, std::string> view_process(pid_t pid);

}  // namespace nlsh
