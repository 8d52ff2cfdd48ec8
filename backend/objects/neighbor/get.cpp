// `ip neighbor get`: one entry.
#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/neighbor/render.h"
#include "backend/run.h"

namespace nlsh {

ExitStatus run(Context& context, const Options& options, const NeighborGet& request) {
    Channel& channel = TRY(open_channel(context, options));
    ndmsg header{};
    header.ndm_family = request.destination.family;
    if (request.proxy) header.ndm_flags = NTF_PROXY;
    const uint32_t ifindex = TRY(require_device(context, options, channel, request.device));
    header.ndm_ifindex = static_cast<int>(ifindex);
    Message message(RTM_GETNEIGH, 0, header);
    message.put(NDA_DST, request.destination.span());
    Options shown = options;
    if (options.json && !context.has(options, Trait::neighbor_get_json)) shown.json = false;
    Printer printer(*context.out, shown);
    DeviceNames devices(channel);
    const NeighborRenderer renderer = neighbor_renderer(context, printer, devices);
    printer.begin_document();
    const Verdict verdict = channel.get(message, [&](const nlmsghdr& answer) {
        const Neighbor neighbor(answer);
        if (!neighbor.header) return false;
        if (has_typed_link_address(neighbor)) context.fall_back("neighbor: tunnel address");
        renderer.print(neighbor);
        return false;
    });
    if (!verdict.ok()) {
        print_verdict(context, verdict);
        return 2;
    }
    printer.end_document();
    return 0;
}

}  // namespace nlsh
