// bridge fdb add, append, replace, del.
#include <linux/neighbour.h>
#include <sys/socket.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/bridge/words/fdb.h"
#include "backend/objects/bridge/words/fdb_rows.h"
#include "backend/render/fields.h"
#include "backend/run.h"

namespace nlsh {
namespace {

void put_attributes(Message& message, const FdbChange& request, uint32_t via) {
    message.put(NDA_LLADDR, *request.address);
    if (request.destination) message.put(NDA_DST, request.destination->span());
    if (request.vlan) message.put_u16(NDA_VLAN, static_cast<uint16_t>(*request.vlan));
    if (request.nexthop != 0) message.put_u32(NDA_NH_ID, request.nexthop);
    if (request.protocol) message.put_u8(NDA_PROTOCOL, *request.protocol);
    put_fields(message, fdb_fields, request.fields);
    if (via != 0) message.put_u32(NDA_IFINDEX, via);
    if (request.activity == 0 && !request.no_refresh) return;
    const size_t nest = message.begin_nest(NLA_F_NESTED | NDA_FDB_EXT_ATTRS);
    if (request.activity != 0) message.put_u8(NFEA_ACTIVITY_NOTIFY, request.activity);
    if (request.no_refresh) message.put(NFEA_DONT_REFRESH, {});
    message.end_nest(nest);
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const FdbChange& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t via = TRY(find_wanted_device(context, options, channel, request.via));
    const uint32_t ifindex = TRY(require_device(context, options, channel, request.device));
    ndmsg header{};
    header.ndm_family = AF_BRIDGE;
    header.ndm_ifindex = static_cast<int>(ifindex);
    header.ndm_state = request.state;
    header.ndm_flags = request.flags;
    Message message(request.verb == ChangeVerb::remove ? RTM_DELNEIGH : RTM_NEWNEIGH,
                    flags_of(request.verb), header);
    put_attributes(message, request, via);
    return send_unechoed(context, options, channel, message);
}

}  // namespace nlsh
