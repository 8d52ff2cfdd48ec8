// bridge mdb get.
#include <linux/if_bridge.h>

#include "backend/errors.h"
#include "backend/names/devices.h"
#include "backend/objects/bridge/mdb_entry.h"
#include "backend/objects/bridge/mdb_key.h"
#include "backend/objects/bridge/words/mdb.h"
#include "backend/run.h"

namespace nlsh {
namespace {

constexpr int not_found = 254;

Message question(const MdbGet& request, uint32_t device) {
    br_port_msg header{};
    header.family = AF_BRIDGE;
    header.ifindex = device;
    Message message(RTM_GETMDB, 0, header);
    const br_mdb_entry entry = mdb_key(request.group, request.vid);
    message.put(newer::MDBA_GET_ENTRY, &entry, sizeof entry);
    if (!request.source && !request.source_vni) return message;
    const size_t nest = message.begin_nest(NLA_F_NESTED | newer::MDBA_GET_ENTRY_ATTRS);
    if (request.source)
        message.put(MDBE_ATTR_SOURCE, request.source->bytes.data(), request.source->size);
    if (request.source_vni) message.put_u32(newer::MDBE_ATTR_SRC_VNI, *request.source_vni);
    message.end_nest(nest);
    return message;
}

}  // namespace

ExitStatus run(Context& context, const Options& options, const MdbGet& request) {
    Channel& channel = TRY(open_channel(context, options));
    Message message =
        question(request, TRY(require_device(context, options, channel, request.device)));
    DeviceNames names(channel);
    Printer printer(*context.out, options);
    MdbPrinter entries(context, names, printer);
    const Verdict verdict = channel.get(message, [&](const nlmsghdr& answer) {
        const auto* port = family_header<br_port_msg>(answer);
        if (port == nullptr) return true;
        const Attributes<MDBA_MAX> attributes(attribute_bytes<br_port_msg>(answer));
        printer.begin_document();
        entries.print_entries(port->ifindex, attributes[MDBA_MDB], 0);
        printer.end_document();
        return true;
    });
    return print_verdict(context, verdict) ? 0 : not_found;
}

}  // namespace nlsh
