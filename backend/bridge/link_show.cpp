// bridge link show.
#include <linux/if.h>
#include <linux/if_bridge.h>
#include <sys/socket.h>

#include <cstring>
#include <vector>

#include "backend/bridge/device.h"
#include "backend/bridge/port.h"
#include "backend/errors.h"
#include "backend/run.h"
#include "parser/ip/bridge/link.h"

namespace nlsh {
namespace {

using Copy = std::vector<uint32_t>;  // of a message: aligned for its header

const nlmsghdr& message_of(const Copy& copy) {
    return *reinterpret_cast<const nlmsghdr*>(copy.data());
}

Copy copy_of(const nlmsghdr& message) {
    Copy copy((message.nlmsg_len + sizeof(uint32_t) - 1) / sizeof(uint32_t));
    std::memcpy(copy.data(), &message, message.nlmsg_len);
    return copy;
}

// The ports: each may need a look at the device beneath it, which has to wait for the dump's end.
Verdict read_ports(Channel& channel, uint32_t device, std::vector<Copy>& ports) {
    ifinfomsg header{};
    header.ifi_family = AF_BRIDGE;
    Message message(RTM_GETLINK, 0, header);
    return channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* link = family_header<ifinfomsg>(answer);
        const bool wanted = answer.nlmsg_type == RTM_NEWLINK && link != nullptr &&
                            link->ifi_family == AF_BRIDGE &&
                            (device == 0 || static_cast<uint32_t>(link->ifi_index) == device);
        if (wanted) ports.push_back(copy_of(answer));
        return true;
    });
}

bool is_down(Channel& channel, uint32_t ifindex) {
    ifinfomsg header{};
    header.ifi_index = static_cast<int>(ifindex);
    Message message(RTM_GETLINK, 0, header);
    message.put_u32(IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
    bool down = false;
    channel.get(message, [&](const nlmsghdr& answer) {
        const auto* link = family_header<ifinfomsg>(answer);
        down = link != nullptr && (link->ifi_flags & IFF_UP) == 0;
        return true;
    });
    return down;
}

// What only switches in hardware say of themselves.
bool is_unusual(const Attributes<IFLA_MAX>& attributes) {
    if (!attributes[IFLA_IFNAME]) return true;
    const Attributes<IFLA_BRIDGE_MAX> spec(attributes[IFLA_AF_SPEC]);
    return static_cast<bool>(spec[IFLA_BRIDGE_MODE]);
}

}  // namespace

int run(Context& context, const Options& options, const BridgeLinkShow& request) {
    const auto opened = context.session.rtnl();
    if (!opened) return cannot_open_socket(context, opened.error());
    Channel& channel = **opened;
    const uint32_t device = request.device.empty() ? 0 : find_device(channel, request.device);
    if (!request.device.empty() && device == 0) {
        return cannot_find_device(context, options.tool, request.device);
    }
    std::vector<Copy> ports;
    const Verdict verdict = read_ports(channel, device, ports);
    DeviceNames names(channel);
    Printer printer(*context.out, options);
    printer.begin_document();
    for (const Copy& copy : ports) {
        const nlmsghdr& message = message_of(copy);
        const Attributes<IFLA_MAX> attributes(attribute_bytes<ifinfomsg>(message));
        if (is_unusual(attributes) && context.hand_over("a port with hwmode")) return 0;
        const Attribute lower = attributes[IFLA_LINK];
        const bool lower_down = lower && is_down(channel, lower.u32());
        print_port(printer, names, *family_header<ifinfomsg>(message), attributes, lower_down);
        if (!printer.flush_if_large()) break;
    }
    if (const int status = dump_terminated(context, verdict); status != 0) {
        printer.flush();
        return status;
    }
    printer.end_document();
    return 0;
}

}  // namespace nlsh
