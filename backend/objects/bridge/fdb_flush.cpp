// bridge fdb flush.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/neighbour.h>
#include <sys/socket.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/bridge/words/fdb.h"
#include "backend/run.h"

namespace nlsh {
namespace {

int cannot_find_port(Context& context, const Options&, std::string_view name) {
    print_error(context, fmt::format("Cannot find bridge port device \"{}\"\n", name));
    return 255;
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const FdbFlush& request) {
    Channel& channel = TRY(open_channel(context, options));
    ndmsg header{};
    header.ndm_family = AF_BRIDGE;
    header.ndm_ifindex = static_cast<int>(
        TRY(require_device(context, options, channel, request.device, cannot_find_bridge_device)));
    header.ndm_flags = request.flags;
    header.ndm_state = request.state;
    const uint32_t port =
        TRY(find_wanted_device(context, options, channel, request.port, cannot_find_port));
    Message message(RTM_DELNEIGH, flags_of_bulk, header);
    if (port != 0) message.put_u32(NDA_IFINDEX, port);
    if (request.vlan) message.put_u16(NDA_VLAN, static_cast<uint16_t>(*request.vlan));
    if (request.source_vni) message.put_u32(NDA_SRC_VNI, *request.source_vni);
    if (request.vni) message.put_u32(NDA_VNI, *request.vni);
    if (request.nexthop) message.put_u32(NDA_NH_ID, *request.nexthop);
    if (request.udp_port) message.put_u16(NDA_PORT, htons(*request.udp_port));
    if (request.destination) message.put(NDA_DST, request.destination->span());
    if (request.flags_mask != 0) message.put_u8(NDA_NDM_FLAGS_MASK, request.flags_mask);
    if (request.state_mask != 0) message.put_u16(NDA_NDM_STATE_MASK, request.state_mask);
    return send_unechoed(context, options, channel, message);
}

}  // namespace nlsh
