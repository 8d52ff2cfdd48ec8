// bridge fdb show.
#include <sys/socket.h>

#include "backend/bridge/device.h"
#include "backend/bridge/fdb_entry.h"
#include "backend/errors.h"
#include "backend/run.h"
#include "parser/ip/bridge/fdb.h"

namespace nlsh {
namespace {

// What the kernel doesn't filter.
bool wanted(const FdbShow& request, const ndmsg& header, const Attributes<NDA_MAX>& attributes) {
    const Attribute vlan = attributes[NDA_VLAN];
    if (request.vlan != 0 && (!vlan || vlan.u16() != request.vlan)) return false;
    if (request.state != 0 && (header.ndm_state & request.state) == 0) return false;
    return !request.dynamic || (header.ndm_state & NUD_PERMANENT) == 0;
}

}  // namespace

int run(Context& context, const Options& options, const FdbShow& request) {
    const auto opened = context.session.rtnl();
    if (!opened) return cannot_open_socket(context, opened.error());
    Channel& channel = **opened;
    const uint32_t bridge = request.bridge.empty() ? 0 : find_device(channel, request.bridge);
    if (!request.bridge.empty() && bridge == 0) {
        return cannot_find_bridge_device(context, request.bridge);
    }
    const uint32_t device = request.device.empty() ? 0 : find_device(channel, request.device);
    if (!request.device.empty() && device == 0) {
        return cannot_find_device(context, options.tool, request.device);
    }
    ndmsg header{};
    header.ndm_family = AF_BRIDGE;
    header.ndm_ifindex = static_cast<int>(device);
    Message message(RTM_GETNEIGH, 0, header);
    if (bridge != 0) message.put_u32(NDA_MASTER, bridge);

    DeviceNames names(channel);
    Printer printer(*context.out, options);
    printer.begin_document();
    const Verdict verdict = channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* entry = family_header<ndmsg>(answer);
        if (answer.nlmsg_type != RTM_NEWNEIGH || entry == nullptr ||
            entry->ndm_family != AF_BRIDGE) {
            return true;
        }
        const Attributes<NDA_MAX> attributes(attribute_bytes<ndmsg>(answer));
        if (!wanted(request, *entry, attributes)) return true;
        print_fdb_entry(printer, names, *entry, attributes, device == 0);
        return printer.flush_if_large();
    });
    if (const int status = dump_terminated(context, verdict); status != 0) {
        printer.flush();
        return status;
    }
    printer.end_document();
    return 0;
}

}  // namespace nlsh
