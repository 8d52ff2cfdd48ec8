// brctl(8) of bridge-utils 1.7: the bridge ioctls (linux/if_bridge.h, linux/sockios.h).
#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_bridge.h>
#include <linux/sockios.h>

#include <cerrno>
#include <cstring>

#include "backend/shell/evaluator.h"

namespace nlsh {
namespace {

// The texts for some errors. For others, see `Verb::other`.
struct Complaint {
    BrctlVerb verb;
    int error;
    fmt::string_view text;  // {0}: the bridge, {1}: the port
};
constexpr Complaint complaints[] = {
    {BrctlVerb::addbr, EEXIST, "device {0} already exists; can't create bridge with the same name"},
    {BrctlVerb::delbr, ENXIO, "bridge {0} doesn't exist; can't delete it"},
    {BrctlVerb::delbr, EBUSY, "bridge {0} is still up; can't delete it"},
    {BrctlVerb::addif, ENODEV, "bridge {0} does not exist!"},
    {BrctlVerb::addif, EBUSY,
     "device {1} is already a member of a bridge; can't add it to bridge {0}."},
    {BrctlVerb::addif, ELOOP,
     "device {1} is a bridge device itself; can't add a bridge device to a bridge device."},
    {BrctlVerb::delif, ENODEV, "bridge {0} does not exist!"},
    {BrctlVerb::delif, EINVAL, "device {1} is not a port of {0}"}};

struct Verb {
    unsigned long request;
    fmt::string_view other;  // {0}: the bridge, {1}: the port, {2}: strerror
};
constexpr Verb verbs[] = {{SIOCBRADDBR, "add bridge failed: {2}"},
                          {SIOCBRDELBR, "can't delete bridge {0}: {2}"},
                          {SIOCBRADDIF, "can't add {1} to bridge {0}: {2}"},
                          {SIOCBRDELIF, "can't delete {1} from {0}: {2}"}};

std::string complaint(const Brctl& brctl, const std::string& port, int error) {
    for (const auto& each : complaints) {
        if (each.verb == brctl.verb && each.error == error)
            return fmt::format(fmt::runtime(each.text), brctl.bridge, port);
    }
    return fmt::format(fmt::runtime(verbs[static_cast<size_t>(brctl.verb)].other), brctl.bridge,
                       port, strerror(error));
}

// The older request of addif and delif looks up the bridge before it checks the caller's rights;
// SIOCBRADDIF and SIOCBRDELIF check the rights first.
int older_request(Channel& channel, const Brctl& brctl, uint32_t port) {
    unsigned long words[4] = {
        static_cast<unsigned long>(brctl.verb == BrctlVerb::addif ? BRCTL_ADD_IF : BRCTL_DEL_IF),
        port, 0, 0};
    ifreq argument{};
    memcpy(argument.ifr_name, brctl.bridge.data(), brctl.bridge.size());
    argument.ifr_data = reinterpret_cast<char*>(words);
    return channel.control(SIOCDEVPRIVATE, &argument);
}

// The kernel takes the bridge's name, or the name and the port's ifindex.
int request(Channel& channel, const Brctl& brctl, uint32_t port) {
    ifreq argument{};
    memcpy(argument.ifr_name, brctl.bridge.data(), brctl.bridge.size());
    if (port != 0) argument.ifr_ifindex = static_cast<int>(port);
    const Verb& verb = verbs[static_cast<size_t>(brctl.verb)];
    return channel.control(verb.request,
                           port != 0 ? &argument : static_cast<void*>(argument.ifr_name));
}

}  // namespace

int run_brctl(const Brctl& brctl, Context& context) {
    auto channel = context.session.rtnl();
    if (!channel) {
        context.err->write(
            fmt::format("can't setup bridge control: {}\n", strerror(channel.error())));
        return 1;
    }
    context.commit();
    auto fail = [&](const std::string& text) {
        context.err->write(text + "\n");
        return 1;
    };
    if (brctl.ports.empty()) {
        int error = request(**channel, brctl, 0);
        return error == 0 ? 0 : fail(complaint(brctl, {}, error));
    }
    for (const auto& port : brctl.ports) {
        uint32_t ifindex = (*channel)->ifindex(port);
        if (ifindex == 0) return fail(fmt::format("interface {} does not exist!", port));
        int error = request(**channel, brctl, ifindex);
        // brctl retries with the older request after any error. Only EPERM may become another
        // error.
        if (error == EPERM) error = older_request(**channel, brctl, ifindex);
        if (error != 0) return fail(complaint(brctl, port, error));
    }
    return 0;
}

}  // namespace nlsh
