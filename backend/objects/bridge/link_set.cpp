// bridge link set.
#include <fmt/format.h>
#include <linux/if_bridge.h>
#include <sys/socket.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/bridge/words/link.h"
#include "backend/run.h"

namespace nlsh {
namespace {

void put_port_attribute(Message& message, const PortAttribute& attribute) {
    switch (attribute.size) {
        case 1:
            return message.put_u8(attribute.type, static_cast<uint8_t>(attribute.value));
        case 2:
            return message.put_u16(attribute.type, static_cast<uint16_t>(attribute.value));
        default:
            return message.put_u32(attribute.type, attribute.value);
    }
}

void put_attributes(Message& message, const BridgeLinkSet& request, uint32_t backup) {
    const size_t port = message.begin_nest(IFLA_PROTINFO | NLA_F_NESTED);
    for (const PortAttribute& attribute : request.attributes) {
        put_port_attribute(message, attribute);
    }
    if (request.backup_port) message.put_u32(IFLA_BRPORT_BACKUP_PORT, backup);
    message.end_nest(port);
    if (request.flags == 0 && !request.mode) return;
    const size_t spec = message.begin_nest(IFLA_AF_SPEC);
    if (request.flags != 0) message.put_u16(IFLA_BRIDGE_FLAGS, request.flags);
    if (request.mode) message.put_u16(IFLA_BRIDGE_MODE, *request.mode);
    message.end_nest(spec);
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
    ifinfomsg header{};
    header.ifi_family = AF_BRIDGE;
    header.ifi_index = static_cast<int>(ifindex);
    Message message(RTM_SETLINK, 0, header);
    put_attributes(message, request, backup);
    return send_unechoed(context, options, channel, message);
}

}  // namespace nlsh
