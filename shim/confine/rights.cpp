#include "shim/confine/rights.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace nlsh {
namespace {

std::unexpected<std::string> failed(const char* what) {
    return std::unexpected(fmt::format("{}: {}", what, std::strerror(errno)));
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

uint64_t effective_capabilities(pid_t process) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, process};
    __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
    if (syscall(SYS_capget, &header, data) != 0) return 0;
    return data[0].effective | (uint64_t{data[1].effective} << 32);
}

uint64_t server_capabilities() {
    const bool inspects = (effective_capabilities(0) & capability(CAP_SYS_PTRACE)) != 0;
    return inspects ? kept_capabilities : ~uint64_t{0};
}

std::expected<void, std::string> drop_rights(bool filtered, uint64_t kept) {
    // The bounding set first, because narrowing it needs CAP_SETPCAP.
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
