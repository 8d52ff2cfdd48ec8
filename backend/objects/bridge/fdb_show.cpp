// bridge fdb show.
#include <sys/socket.h>

#include "backend/dump.h"
#include "backend/names/devices.h"
#include "backend/objects/bridge/fdb_entry.h"
#include "backend/objects/bridge/words/fdb.h"
#include "backend/run.h"

namespace nlsh {
namespace {

// The filters that the kernel doesn't have.
bool wanted(const FdbShow& request, const ndmsg& header, const Attributes<NDA_MAX>& attributes) {
    const Attribute vlan = attributes[NDA_VLAN];
    if (request.vlan != 0 && (!vlan || vlan.u16() != request.vlan)) return false;
    if (request.state != 0 && (header.ndm_state & request.state) == 0) return false;
    return !request.dynamic || (header.ndm_state & NUD_PERMANENT) == 0;
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const FdbShow& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t bridge = TRY(
        find_wanted_device(context, options, channel, request.bridge, cannot_find_bridge_device));
    const uint32_t device = TRY(find_wanted_device(context, options, channel, request.device));
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
        print_fdb_entry(context, printer, names, *entry, attributes, device == 0);
        return printer.flush_if_large();
    });
    return end_dump(context, printer, verdict, 1);
}

}  // namespace nlsh
