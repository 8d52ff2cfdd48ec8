// The dump of RTM_GETVLAN: ranges of VLANs and their options, or a bridge's global options.
#include <linux/if_bridge.h>
#include <sys/socket.h>

#include "backend/dump.h"
#include "backend/names/devices.h"
#include "backend/objects/bridge/vlan/query.h"

namespace nlsh {

int show_vlan_entries(const VlanQuery& query, uint32_t flags, uint16_t type,
                      const PrintVlan& print) {
    show_large_reads(query.channel);
    br_vlan_msg request{};
    request.family = AF_BRIDGE;
    Message message(RTM_GETVLAN, 0, request);
    message.put_u32(BRIDGE_VLANDB_DUMP_FLAGS, flags);
    Printer printer(*query.context.out, query.options);
    VlanRows rows(printer, vlan_header, "vlans");
    DeviceNames names(query.channel);
    uint32_t port = 0;
    bool fallback = false;
    const Verdict verdict = query.channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* header = family_header<br_vlan_msg>(answer);
        if (answer.nlmsg_type != RTM_NEWVLAN || header == nullptr ||
            !query.wants_device(header->ifindex)) {
            return true;
        }
        // The next message may continue the same port.
        if (header->ifindex != port) rows.close_port();
        port = header->ifindex;
        for (const Attribute attribute : AttributeRange(attribute_bytes<br_vlan_msg>(answer))) {
            if (attribute.type() != type) continue;
            fallback = !print(printer, rows, names.name(port), attribute);
            if (fallback) return false;
        }
        return printer.flush_if_large();
    });
    if (fallback) return 0;
    if (dump_failed(query.context, printer, verdict)) return 1;
    rows.close_port();
    printer.end_document();
    return 0;
}

}  // namespace nlsh
