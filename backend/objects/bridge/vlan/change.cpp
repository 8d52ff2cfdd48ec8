// bridge vlan add, del and set, bridge vlan global set.
#include <fmt/format.h>
#include <linux/if_bridge.h>
#include <sys/socket.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/bridge/words/vlan.h"
#include "backend/run.h"

namespace nlsh {
namespace {

void put_vlan(Message& message, uint32_t vid, uint16_t flags) {
    const bridge_vlan_info info{.flags = flags, .vid = static_cast<uint16_t>(vid)};
    message.put(IFLA_BRIDGE_VLAN_INFO, &info, sizeof info);
}

void put_tunnel(Message& message, uint32_t vid, uint32_t id, uint16_t flags) {
    const size_t nest = message.begin_nest(IFLA_BRIDGE_VLAN_TUNNEL_INFO);
    message.put_u32(IFLA_BRIDGE_VLAN_TUNNEL_ID, id);
    message.put_u16(IFLA_BRIDGE_VLAN_TUNNEL_VID, static_cast<uint16_t>(vid));
    message.put_u16(IFLA_BRIDGE_VLAN_TUNNEL_FLAGS, flags);
    message.end_nest(nest);
}

// One entry, or the two ends of a range.
template <typename Put>
void put_range(const VlanChange& request, Put put) {
    const uint16_t flags = request.vlan_flags;
    if (!request.vid.last) return put(request.vid.first, false, flags);
    put(request.vid.first, false, static_cast<uint16_t>(flags | BRIDGE_VLAN_INFO_RANGE_BEGIN));
    put(*request.vid.last, true, static_cast<uint16_t>(flags | BRIDGE_VLAN_INFO_RANGE_END));
}

void put_attributes(Message& message, const VlanChange& request) {
    const size_t nest = message.begin_nest(IFLA_AF_SPEC);
    if (request.bridge_flags != 0) message.put_u16(IFLA_BRIDGE_FLAGS, request.bridge_flags);
    put_range(request, [&](uint32_t vid, bool last, uint16_t flags) {
        if (!request.tunnel) return put_vlan(message, vid, flags);
        put_tunnel(message, vid, last ? *request.tunnel->last : request.tunnel->first, flags);
    });
    message.end_nest(nest);
}

void put_vid(Message& message, const VlanSet& request) {
    const auto first = static_cast<uint16_t>(request.vid.first);
    if (request.global) {
        message.put_u16(BRIDGE_VLANDB_GOPTS_ID, first);
    } else {
        const bridge_vlan_info info{.flags = BRIDGE_VLAN_INFO_ONLY_OPTS, .vid = first};
        message.put(BRIDGE_VLANDB_ENTRY_INFO, &info, sizeof info);
    }
    if (!request.vid.last) return;
    const int range = request.global ? int{BRIDGE_VLANDB_GOPTS_RANGE} : BRIDGE_VLANDB_ENTRY_RANGE;
    message.put_u16(static_cast<uint16_t>(range), static_cast<uint16_t>(*request.vid.last));
}

int cannot_find_network_device(Context& context, const Options&, std::string_view name) {
    print_error(context, fmt::format("Cannot find network device \"{}\"\n", name));
    return 255;
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const VlanChange& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t ifindex =
        TRY(require_device(context, options, channel, request.device, cannot_find_bridge_device));
    auto header = of_family<ifinfomsg>(AF_BRIDGE);
    header.ifi_index = static_cast<int>(ifindex);
    Message message(request.verb == ChangeVerb::remove ? RTM_DELLINK : RTM_SETLINK, 0, header);
    put_attributes(message, request);
    return send_unechoed(context, options, channel, message);
}

ExitStatus run(Context& context, const Options& options, const VlanSet& request) {
    Channel& channel = TRY(open_channel(context, options));
    auto header = of_family<br_vlan_msg>(AF_BRIDGE);
    header.ifindex =
        TRY(require_device(context, options, channel, request.device, cannot_find_network_device));
    Message message(RTM_NEWVLAN, 0, header);
    const int type = request.global ? int{BRIDGE_VLANDB_GLOBAL_OPTIONS} : BRIDGE_VLANDB_ENTRY;
    const size_t nest = message.begin_nest(static_cast<uint16_t>(type | NLA_F_NESTED));
    put_vid(message, request);
    for (const VlanSet::Option& option : request.options)
        message.put_number(option.type, option.value, option.size);
    message.end_nest(nest);
    return send_unechoed(context, options, channel, message);
}

}  // namespace nlsh
