// `ip neighbor show`: one filtered dump.
#include "backend/errors.h"
#include "backend/neighbor/render.h"
#include "backend/run.h"

namespace nlsh {

int run(Context& context, const Options& options, const NeighborShow& request) {
    auto channel = options.batch ? context.session.loose() : context.session.rtnl();
    if (!channel) return cannot_open_socket(context, channel.error());
    constexpr uint16_t shown = 0xff & ~NUD_NOARP;
    const auto selection = select_neighbors(context, options, **channel, request.filter, shown);
    if (!selection) return selection.error();
    Printer printer(*context.out, options);
    DeviceNames devices(**channel);
    const NeighborRenderer renderer{.printer = printer,
                                    .devices = devices,
                                    .names = context.names,
                                    .hide_device = selection->ifindex != 0};
    printer.begin_document();
    const Verdict verdict = dump_neighbors(**channel, *selection, [&](const Neighbor& neighbor) {
        if (has_typed_link_address(neighbor) && context.hand_over("neighbor: tunnel address")) {
            return false;
        }
        renderer.print(neighbor);
        return printer.flush_if_large();
    });
    if (context.handover) return 1;
    if (!print_dump_verdict(context, verdict)) {
        printer.flush();
        print_error(context, "Dump terminated\n");
        return 1;
    }
    printer.end_document();
    return 0;
}

}  // namespace nlsh
