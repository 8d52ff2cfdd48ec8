// `ip neighbor add|change|replace|del`: one RTM_NEWNEIGH or RTM_DELNEIGH.
#include <linux/neighbour.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/neighbor/words/neighbor.h"
#include "backend/run.h"

namespace nlsh {

namespace {

Message build(const NeighborChange& request, uint32_t ifindex) {
    ndmsg header{};
    header.ndm_family = request.destination.family;
    header.ndm_ifindex = static_cast<int>(ifindex);
    header.ndm_state = request.state;
    header.ndm_flags = request.flags;
    Message message(request.verb == ChangeVerb::remove ? RTM_DELNEIGH : RTM_NEWNEIGH,
                    flags_of(request.verb), header);
    if (request.protocol) message.put_u8(NDA_PROTOCOL, *request.protocol);
    message.put(NDA_DST, request.destination.span());
    if (request.extended_flags) message.put_u32(NDA_FLAGS_EXT, request.extended_flags);
    if (request.link_address) message.put(NDA_LLADDR, request.link_address->span());
    return message;
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const NeighborChange& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t ifindex = TRY(require_device(context, options, channel, request.device));
    Message message = build(request, ifindex);
    return send_unechoed(context, options, channel, message);
}

}  // namespace nlsh
