// bridge mdb add, replace, del, flush.
#include <arpa/inet.h>
#include <linux/if_bridge.h>
#include <linux/if_ether.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/run.h"
#include "parser/ip/bridge/mdb.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {
namespace {

uint16_t protocol_of(uint8_t family) {
    if (family == AF_UNSPEC) return 0;  // a MAC address
    return htons(family == AF_INET ? ETH_P_IP : ETH_P_IPV6);
}

br_mdb_entry entry_of(const MdbChange& request, uint32_t port) {
    br_mdb_entry entry{};
    entry.ifindex = port;
    entry.state = request.state;
    entry.vid = static_cast<uint16_t>(request.vid);
    entry.addr.proto = protocol_of(request.group.family);
    std::memcpy(&entry.addr.u, request.group.bytes.data(), request.group.size);
    return entry;
}

void put_sources(Message& message, const std::vector<GroupAddress>& sources) {
    if (sources.empty()) return;
    const size_t list = message.begin_nest(NLA_F_NESTED | newer::MDBE_ATTR_SRC_LIST);
    for (const GroupAddress& source : sources) {
        const size_t entry = message.begin_nest(NLA_F_NESTED | newer::MDBE_SRC_LIST_ENTRY);
        message.put(newer::MDBE_SRCATTR_ADDRESS, source.bytes.data(), source.size);
        message.end_nest(entry);
    }
    message.end_nest(list);
}

void put_attributes(Message& message, const MdbChange& request) {
    if (!request.source && !request.filter_mode && request.sources.empty() &&
        request.protocol == 0) {
        return;
    }
    const size_t nest = message.begin_nest(NLA_F_NESTED | MDBA_SET_ENTRY_ATTRS);
    if (request.source)
        message.put(MDBE_ATTR_SOURCE, request.source->bytes.data(), request.source->size);
    if (request.filter_mode) message.put_u8(newer::MDBE_ATTR_GROUP_MODE, *request.filter_mode);
    put_sources(message, request.sources);
    if (request.protocol != 0) message.put_u8(newer::MDBE_ATTR_RTPROT, request.protocol);
    message.end_nest(nest);
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const MdbChange& request) {
    Channel& channel = TRY(open_channel(context, options));
    br_port_msg header{};
    header.family = AF_BRIDGE;
    header.ifindex = TRY(require_device(context, options, channel, request.device));
    const uint32_t port = TRY(require_device(context, options, channel, request.port));
    const br_mdb_entry entry = entry_of(request, port);
    Message message(request.verb == ChangeVerb::remove ? RTM_DELMDB : RTM_NEWMDB,
                    flags_of(request.verb), header);
    message.put(MDBA_SET_ENTRY, &entry, sizeof entry);
    put_attributes(message, request);
    context.commit();
    return report_change(context, options.tool, channel.change(message));
}

ExitStatus run(Context& context, const Options& options, const MdbFlush& request) {
    Channel& channel = TRY(open_channel(context, options));
    br_port_msg header{};
    header.family = AF_BRIDGE;
    header.ifindex = TRY(require_device(context, options, channel, request.device));
    br_mdb_entry entry{};
    entry.ifindex = TRY(find_wanted_device(context, options, channel, request.port));
    entry.vid = static_cast<uint16_t>(request.vid);
    if (request.permanent.value_or(false)) entry.state = MDB_PERMANENT;
    Message message(RTM_DELMDB, flags_of_bulk, header);
    message.put(MDBA_SET_ENTRY, &entry, sizeof entry);
    if (request.protocol != 0 || request.permanent) {
        const size_t nest = message.begin_nest(NLA_F_NESTED | MDBA_SET_ENTRY_ATTRS);
        if (request.protocol != 0) message.put_u8(newer::MDBE_ATTR_RTPROT, request.protocol);
        if (request.permanent) message.put_u8(newer::MDBE_ATTR_STATE_MASK, MDB_PERMANENT);
        message.end_nest(nest);
    }
    context.commit();
    return report_change(context, options.tool, channel.change(message));
}

}  // namespace nlsh
