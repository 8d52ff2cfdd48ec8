// bridge link: set and show.
#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_bridge.h>
#include <sys/socket.h>

#include <vector>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/names/link.h"
#include "backend/objects/bridge/port.h"
#include "backend/objects/bridge/words/link.h"
#include "backend/run.h"

namespace nlsh {
namespace {

void put_attributes(Message& message, const BridgeLinkSet& request, uint32_t backup) {
    const size_t port = message.begin_nest(IFLA_PROTINFO | NLA_F_NESTED);
    for (const PortAttribute& attribute : request.attributes)
        message.put_number(attribute.type, attribute.value, attribute.size);
    if (request.backup_port) message.put_u32(IFLA_BRPORT_BACKUP_PORT, backup);
    message.end_nest(port);
    if (request.flags == 0 && !request.mode) return;
    const size_t spec = message.begin_nest(IFLA_AF_SPEC);
    if (request.flags != 0) message.put_u16(IFLA_BRIDGE_FLAGS, request.flags);
    if (request.mode) message.put_u16(IFLA_BRIDGE_MODE, *request.mode);
    message.end_nest(spec);
}

uint32_t master_of(const nlmsghdr& link) {
    const Attribute master = Attributes<IFLA_MASTER>(attribute_bytes<ifinfomsg>(link))[IFLA_MASTER];
    return master ? master.u32() : 0;
}

// Keeps the ports until the dump ends: only then can nlsh look at the devices below them.
Verdict read_ports(Channel& channel, uint32_t device, uint32_t master,
                   std::vector<KeptMessage>& ports) {
    Message message(RTM_GETLINK, 0, of_family<ifinfomsg>(AF_BRIDGE));
    return channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* link = family_header<ifinfomsg>(answer);
        const bool wanted = answer.nlmsg_type == RTM_NEWLINK && link != nullptr &&
                            link->ifi_family == AF_BRIDGE &&
                            (device == 0 || static_cast<uint32_t>(link->ifi_index) == device);
        if (wanted && (master == 0 || master_of(answer) == master)) ports.emplace_back(answer);
        return true;
    });
}

bool is_down(Channel& channel, uint32_t ifindex) {
    bool down = false;
    ask_link(channel, ifindex, RTEXT_FILTER_SKIP_STATS, [&](const nlmsghdr& answer) {
        const auto* link = family_header<ifinfomsg>(answer);
        down = link != nullptr && (link->ifi_flags & IFF_UP) == 0;
        return true;
    });
    return down;
}

// Only switches in hardware have such attributes.
bool is_unusual(const Attributes<IFLA_MAX>& attributes) {
    if (!attributes[IFLA_IFNAME]) return true;
    const Attributes<IFLA_BRIDGE_MAX> spec(attributes[IFLA_AF_SPEC]);
    return static_cast<bool>(spec[IFLA_BRIDGE_MODE]);
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const BridgeLinkSet& request) {
    Channel& channel = TRY(open_channel(context, options));
    uint32_t backup = 0;
    if (request.backup_port && !request.backup_port->empty()) {
        backup = find_device(channel, *request.backup_port);
        if (backup == 0) {
            print_error(context,
                        fmt::format("Error: device {} does not exist\n", *request.backup_port));
            return 255;
        }
    }
    const uint32_t ifindex =
        TRY(require_device(context, options, channel, request.device, cannot_find_bridge_device));
    auto header = of_family<ifinfomsg>(AF_BRIDGE);
    header.ifi_index = static_cast<int>(ifindex);
    Message message(RTM_SETLINK, 0, header);
    put_attributes(message, request, backup);
    return send_unechoed(context, options, channel, message);
}

ExitStatus run(Context& context, const Options& options, const BridgeLinkShow& request) {
    if (options.details > 0 && !context.needs(options, Trait::bridge_link_of_ports)) return 1;
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t device = TRY(find_wanted_device(context, options, channel, request.device));
    const uint32_t master = TRY(find_wanted_device(context, options, channel, request.master));
    std::vector<KeptMessage> ports;
    const Verdict verdict = read_ports(channel, device, master, ports);
    DeviceNames names(channel);
    Printer printer(*context.out, options);
    printer.begin_document();
    for (const KeptMessage& port : ports) {
        const nlmsghdr& message = *port;
        const Attributes<IFLA_MAX> attributes(attribute_bytes<ifinfomsg>(message));
        if (is_unusual(attributes) && context.fall_back("a port with hwmode")) return 0;
        const Attribute lower = attributes[IFLA_LINK];
        const bool lower_down = lower && is_down(channel, lower.u32());
        print_port(context, printer, names, *family_header<ifinfomsg>(message), attributes,
                   lower_down);
        if (!printer.flush_if_large()) break;
    }
    return end_dump(context, printer, verdict, 1);
}

}  // namespace nlsh
