// bridge mdb add, del.
#include <arpa/inet.h>
#include <linux/if_bridge.h>
#include <linux/if_ether.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/run.h"
#include "parser/ip/bridge/mdb.h"

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
    if (request.source) {
        const size_t nest = message.begin_nest(NLA_F_NESTED | MDBA_SET_ENTRY_ATTRS);
        message.put(MDBE_ATTR_SOURCE, request.source->bytes.data(), request.source->size);
        message.end_nest(nest);
    }
    context.commit();
    return report_change(context, options.tool, channel.change(message));
}

}  // namespace nlsh
