// `ip neighbor show`: one filtered dump.
#include "backend/dump.h"
#include "backend/objects/neighbor/render.h"
#include "backend/run.h"

namespace nlsh {

ExitStatus run(Context& context, const Options& options, const NeighborShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    constexpr uint16_t shown = 0xff & ~NUD_NOARP;
    const auto selection = TRY(select_neighbors(context, options, channel, request.filter, shown));
    Printer printer(*context.out, options);
    DeviceNames devices(channel);
    const NeighborRenderer renderer =
        neighbor_renderer(context, printer, devices, selection.ifindex != 0);
    printer.begin_document();
    const Verdict verdict = dump_neighbors(channel, selection, [&](const Neighbor& neighbor) {
        if (has_typed_link_address(neighbor) && context.fall_back("neighbor: tunnel address")) {
            return false;
        }
        renderer.print(neighbor);
        return printer.flush_if_large();
    });
    if (context.fallback) return 1;
    return end_dump(context, printer, verdict, 1);
}

}  // namespace nlsh
