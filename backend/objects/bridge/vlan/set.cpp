// bridge vlan set, bridge vlan global set.
#include <fmt/format.h>
#include <linux/if_bridge.h>
#include <sys/socket.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/bridge/words/vlan.h"
#include "backend/run.h"

namespace nlsh {
namespace {

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

ExitStatus run(Context& context, const Options& options, const VlanSet& request) {
    Channel& channel = TRY(open_channel(context, options));
    br_vlan_msg header{};
    header.family = AF_BRIDGE;
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
