#include "backend/net/namespace.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "backend/descriptor.h"
#include "backend/net/own_thread.h"

namespace nlsh {
namespace {

bool in_first_user_namespace() {
    const Descriptor map = open_file("/proc/self/uid_map");
    char text[64] = {};
    const bool known = map && read(map.get(), text, sizeof text - 1) > 0;
    unsigned inside = 1;
    unsigned outside = 1;
    unsigned count = 0;
    return known && sscanf(text, "%u %u %u", &inside, &outside, &count) == 3 && inside == 0 &&
           outside == 0 && count == UINT32_MAX;
}

}  // namespace

bool is_first_root() {
    return geteuid() == 0 && in_first_user_namespace();
}

bool is_network_namespace(int descriptor) {
    return ioctl(descriptor, NS_GET_NSTYPE) == CLONE_NEWNET;
}

std::expected<void, NetnsRefusal> enter_netns(const std::string& name) {
    const auto refuse = [&](const char* what, int error, const char* reason) {
        return std::unexpected(NetnsRefusal{
            fmt::format("{}{}\n", fmt::format(fmt::runtime(what), name), strerror(error)), reason});
    };
    static constexpr const char* opening = "Cannot open network namespace \"{}\": ";
    static constexpr const char* setting = "setting the network namespace \"{}\" failed: ";
    if (!is_first_root()) return refuse(setting, EPERM, "-netns: not root");
    const Descriptor there = open_file(("/run/netns/" + name).c_str());
    if (!there) return refuse(opening, errno, errno == ENOENT ? "" : "-netns: not to be opened");
    const bool files = access(("/etc/netns/" + name).c_str(), F_OK) == 0;
    errno = EINVAL;
    if (!files && is_network_namespace(there.get()) && setns(there.get(), CLONE_NEWNET) == 0)
        return {};
    const int error = errno == ENOTTY ? EINVAL : errno;
    return refuse(setting, error, files ? "-netns: /etc/netns" : "-netns: not to be entered");
}

std::optional<NetnsRefusal> netns_refusal(const std::string& name) {
    std::optional<NetnsRefusal> refusal;
    const bool ran = run_on_own_thread([&] {
        if (auto entered = enter_netns(name); !entered) refusal = std::move(entered.error());
    });
    return ran ? refusal : NetnsRefusal{{}, "-netns: no thread"};
}

bool enter_netns_file(const std::string& path) {
    const Descriptor there = open_file(path.c_str());
    return there && is_network_namespace(there.get()) && setns(there.get(), CLONE_NEWNET) == 0;
}

}  // namespace nlsh
