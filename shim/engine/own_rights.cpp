#include "shim/engine/own_rights.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <optional>
#include <string>

#include "shim/builds/reference.h"
#include "shim/rights/exec_probe.h"

namespace nlsh {
namespace {

constexpr rlim_t descriptors_min = 16;  // as many as a program's libraries need

// Restrictions that may forbid a thread to exec.
struct Limits {
    bool filtered = is_filtered();
    bool no_new_privs = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
    bool any() const { return filtered || no_new_privs; }
    const char* probe(const char* path) const { return exec_probe(path, filtered, no_new_privs); }
};

// The shell's probe shows that the filter allows exec. A filter doesn't see paths, so the tools'
// probes need no process.
const char* probe_lines(const Limits& limits) {
    const char* reason = limits.probe("/bin/sh");
    for (const Tool tool : {Tool::ip, Tool::bridge}) {
        const std::string path = reference_path(tool);
        if (reason == nullptr && !path.empty())
            reason = exec_probe(path.c_str(), false, limits.no_new_privs);
    }
    return reason;
}

// The probe's result, cached for each combination of limits.
const char* remembered_probe(const Limits& limits) {
    thread_local std::optional<const char*> found[2][2];
    auto& known = found[limits.filtered ? 1 : 0][limits.no_new_privs ? 1 : 0];
    if (!known) known = probe_lines(limits);
    return *known;
}

}  // namespace

bool is_filtered() {
    return prctl(PR_GET_SECCOMP) != 0;
}

const char* own_rights_refusal(Tool tool, const char* path) {
    const Limits limits;
    if (limits.any())
        if (const char* reason = limits.probe(path)) return reason;
    exec_file file{};
    if (!exec_file_of(path, &file)) return "the tool's file can't be read";
    return own_exec_change(&file, tool == Tool::ip ? EXEC_IP : EXEC_PLAIN, EXEC_EVERY_CAPABILITY);
}

const char* own_rights_refusal_of_lines(uint64_t looked_at) {
    const Limits limits;
    if (limits.any())
        if (const char* reason = remembered_probe(limits)) return reason;
    return own_exec_change(nullptr, EXEC_IP, looked_at);
}

const char* own_limits_refusal() {
    rlimit limit{};
    const bool few = getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < descriptors_min;
    return few ? "few descriptors" : nullptr;
}

}  // namespace nlsh
