#include "shim/server/rights.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace nlsh {
namespace {

std::unexpected<std::string> failed(const char* what) {
    return std::unexpected(fmt::format("{}: {}", what, std::strerror(errno)));
}

// The rest of the line that starts with `name`.
std::string field(std::string_view text, std::string_view name) {
    const size_t at = text.find(name);
    if (at == std::string_view::npos) return {};
    const size_t start = at + name.size();
    return std::string(text.substr(start, text.find('\n', start) - start));
}

uint64_t capabilities(std::string_view status, std::string_view name) {
    return std::strtoull(field(status, name).c_str(), nullptr, 16);
}

bool set_capabilities(uint64_t kept) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
    if (syscall(SYS_capget, &header, data) != 0) return false;
    for (uint32_t word = 0; word < _LINUX_CAPABILITY_U32S_3; ++word) {
        const auto mask = static_cast<uint32_t>(kept >> (32 * word));
        data[word].permitted &= mask;
        data[word].effective &= mask;
        data[word].inheritable = 0;
    }
    return syscall(SYS_capset, &header, data) == 0;
}

}  // namespace

ProcessRights process_rights(const std::string& status) {
    ProcessRights rights;
    rights.root = field(status, "\nUid:") == "\t0\t0\t0\t0";
    rights.effective = capabilities(status, "\nCapEff:\t");
    // capabilities(7): root's permitted set after execve, and all of it effective.
    rights.after_exec = capabilities(status, "\nCapInh:\t") | capabilities(status, "\nCapBnd:\t");
    if (field(status, "\nNoNewPrivs:\t") == "1") {
        rights.after_exec &= capabilities(status, "\nCapPrm:\t");
    }
    rights.seccomp = field(status, "\nSeccomp:\t") != "0";
    return rights;
}

std::expected<void, std::string> drop_rights(bool filtered, uint64_t kept) {
    // The bounding set first: narrowing it takes CAP_SETPCAP.
    for (int number = 0; prctl(PR_CAPBSET_READ, number, 0, 0, 0) >= 0; ++number) {
        if ((kept & capability(number)) != 0) continue;
        if (prctl(PR_CAPBSET_DROP, number, 0, 0, 0) != 0 && errno != EPERM) {
            return failed("narrowing the capabilities");
        }
    }
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 && errno != EINVAL) {
        return failed("clearing the ambient capabilities");
    }
    if (!set_capabilities(kept)) return failed("dropping capabilities");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("no_new_privs");
    if (!filtered) return {};
    return filter_system_calls();
}

}  // namespace nlsh
