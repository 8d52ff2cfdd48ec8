// bridge fdb get.
#include <sys/socket.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/bridge/fdb_entry.h"
#include "backend/objects/bridge/words/fdb.h"
#include "backend/run.h"

namespace nlsh {
namespace {

constexpr int not_found = 254;

void print_answer(Context& context, const Options& options, Channel& channel, bool dynamic,
                  const nlmsghdr& answer) {
    DeviceNames names(channel);
    Printer printer(*context.out, options);
    printer.begin_document();
    const auto* entry = family_header<ndmsg>(answer);
    const bool wanted = entry != nullptr && (!dynamic || (entry->ndm_state & NUD_PERMANENT) == 0);
    if (wanted) {
        const Attributes<NDA_MAX> attributes(attribute_bytes<ndmsg>(answer));
        print_fdb_entry(context, printer, names, *entry, attributes, true);
    }
    printer.end_document();
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const FdbGet& request) {
    Channel& channel = TRY(open_channel(context, options));
    const uint32_t device = TRY(find_wanted_device(context, options, channel, request.device));
    const uint32_t bridge = TRY(
        find_wanted_device(context, options, channel, request.bridge, cannot_find_bridge_device));
    ndmsg header{};
    header.ndm_family = AF_BRIDGE;
    header.ndm_ifindex = static_cast<int>(device);
    header.ndm_flags = request.flags;
    Message message(RTM_GETNEIGH, 0, header);
    message.put(NDA_LLADDR, *request.address);
    if (request.vlan) message.put_u16(NDA_VLAN, static_cast<uint16_t>(*request.vlan));
    if (request.vni) message.put_u32(NDA_VNI, *request.vni);
    if (bridge != 0) message.put_u32(NDA_MASTER, bridge);
    const Verdict verdict = channel.get(message, [&](const nlmsghdr& answer) {
        print_answer(context, options, channel, request.dynamic, answer);
        return true;
    });
    return print_verdict(context, verdict) ? 0 : not_found;
}

}  // namespace nlsh
