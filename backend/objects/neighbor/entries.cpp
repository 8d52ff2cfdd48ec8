#include "backend/objects/neighbor/entries.h"

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/names/master.h"
#include "backend/net/prefix.h"
#include "parser/try.h"

namespace nlsh {

namespace {

// Proxies and learnt entries are listed in any state.
bool state_fits(const ndmsg& header, uint16_t states) {
    const uint16_t state = header.ndm_state == NUD_NONE ? neighbor_state_none : header.ndm_state;
    return (state & states) != 0 || (header.ndm_flags & (NTF_PROXY | NTF_EXT_LEARNED)) != 0;
}

bool in_use(const Neighbor& neighbor) {
    const Attribute cache = neighbor.attributes[NDA_CACHEINFO];
    return cache && cache.as<nda_cacheinfo>().ndm_refcnt != 0;
}

bool protocol_fits(const Neighbor& neighbor, uint8_t wanted) {
    const Attribute protocol = neighbor.attributes[NDA_PROTOCOL];
    return wanted == 0 || wanted == (protocol ? protocol.u8() : 0);
}

}  // namespace

bool NeighborSelection::contains(const Neighbor& neighbor) const {
    const ndmsg& header = *neighbor.header;
    if (filter.family != 0 && filter.family != header.ndm_family) return false;
    if (ifindex != 0 && ifindex != static_cast<uint32_t>(header.ndm_ifindex)) return false;
    if (!state_fits(header, states)) return false;
    if (filter.protocol && !protocol_fits(neighbor, *filter.protocol)) return false;
    if (filter.unused && in_use(neighbor)) return false;
    const Attribute destination = neighbor.attributes[NDA_DST];
    return !filter.to || !destination || prefix_contains(*filter.to, destination.bytes());
}

std::expected<NeighborSelection, int> select_neighbors(Context& context, const Options& options,
                                                       Channel& channel,
                                                       const NeighborFilter& filter,
                                                       uint16_t default_states) {
    NeighborSelection selection{.filter = filter, .states = default_states};
    if (filter.states) selection.states = *filter.states;
    selection.master =
        TRY(find_master(context, options, channel, filter.master, filter.master_is_vrf));
    selection.ifindex = TRY(find_wanted_device(context, options, channel, filter.device));
    return selection;
}

Verdict dump_neighbors(Channel& channel, const NeighborSelection& selection,
                       const ReceiveNeighbor& receive) {
    ndmsg header{};
    header.ndm_family = selection.filter.family;
    if (selection.filter.proxy) header.ndm_flags = NTF_PROXY;
    Message message(RTM_GETNEIGH, 0, header);
    if (selection.ifindex != 0) message.put_u32(NDA_IFINDEX, selection.ifindex);
    if (selection.master != 0) message.put_u32(NDA_MASTER, selection.master);
    return channel.dump(message, [&](const nlmsghdr& answer) {
        const Neighbor neighbor(answer);
        if (!neighbor.header || !selection.contains(neighbor)) return true;
        return receive(neighbor);
    });
}

}  // namespace nlsh
