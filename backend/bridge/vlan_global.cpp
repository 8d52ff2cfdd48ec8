// bridge vlan global show: the multicast options of a bridge's VLANs.
#include <linux/if_bridge.h>
#include <sys/socket.h>

#include "backend/bridge/device.h"
#include "backend/bridge/vlan_query.h"
#include "backend/bridge/vlan_rows.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"

namespace nlsh {
namespace {

struct Field {
    uint16_t type;
    std::string_view key;
    std::string_view before;
};
constexpr Field fields[] = {
    {BRIDGE_VLANDB_GOPTS_MCAST_SNOOPING, "mcast_snooping", "mcast_snooping "},
    {BRIDGE_VLANDB_GOPTS_MCAST_QUERIER, "mcast_querier", "mcast_querier "},
    {BRIDGE_VLANDB_GOPTS_MCAST_IGMP_VERSION, "mcast_igmp_version", "mcast_igmp_version "},
    {BRIDGE_VLANDB_GOPTS_MCAST_MLD_VERSION, "mcast_mld_version", "mcast_mld_version "},
    {BRIDGE_VLANDB_GOPTS_MCAST_LAST_MEMBER_CNT, "mcast_last_member_count",
     "mcast_last_member_count "},
    {BRIDGE_VLANDB_GOPTS_MCAST_LAST_MEMBER_INTVL, "mcast_last_member_interval",
     "mcast_last_member_interval "},
    {BRIDGE_VLANDB_GOPTS_MCAST_STARTUP_QUERY_CNT, "mcast_startup_query_count",
     "mcast_startup_query_count "},
    {BRIDGE_VLANDB_GOPTS_MCAST_STARTUP_QUERY_INTVL, "mcast_startup_query_interval",
     "mcast_startup_query_interval "},
    {BRIDGE_VLANDB_GOPTS_MCAST_MEMBERSHIP_INTVL, "mcast_membership_interval",
     "mcast_membership_interval "},
    {BRIDGE_VLANDB_GOPTS_MCAST_QUERIER_INTVL, "mcast_querier_interval", "mcast_querier_interval "},
    {BRIDGE_VLANDB_GOPTS_MCAST_QUERY_INTVL, "mcast_query_interval", "mcast_query_interval "},
    {BRIDGE_VLANDB_GOPTS_MCAST_QUERY_RESPONSE_INTVL, "mcast_query_response_interval",
     "mcast_query_response_interval "},
};

using GlobalOptions = Attributes<BRIDGE_VLANDB_GOPTS_MAX>;

void print_vlan(const VlanQuery& query, Printer& printer, VlanRows& rows, std::string_view port,
                const GlobalOptions& options) {
    const Attribute vid = options[BRIDGE_VLANDB_GOPTS_ID];
    if (!vid) return;
    const Attribute range = options[BRIDGE_VLANDB_GOPTS_RANGE];
    const uint16_t last = range ? range.u16() : vid.u16();
    if (!query.wants(vid.u16(), last)) return;
    rows.open_row(port);
    rows.range("vlan", "vlanEnd", vid.u16(), last);
    printer.line_break();
    printer.text("                    ");
    for (const Field& field : fields) {
        if (const Attribute option = options[field.type]) {
            printer.number(field.key, field.before, option.u64(), " ");
        }
    }
    printer.line_break();
    rows.close_row();
}

// Ports with multicast routers make a line of their own.
bool is_unusual(const GlobalOptions& options) {
    const Attribute ports = options[BRIDGE_VLANDB_GOPTS_MCAST_ROUTER_PORTS];
    return ports && ports.size() != 0;
}

}  // namespace

int show_global_options(const VlanQuery& query) {
    show_large_reads(query.channel);
    br_vlan_msg request{};
    request.family = AF_BRIDGE;
    Message message(RTM_GETVLAN, 0, request);
    message.put_u32(BRIDGE_VLANDB_DUMP_FLAGS, BRIDGE_VLANDB_DUMPF_GLOBAL);
    Printer printer(*query.context.out, query.options);
    VlanRows rows(printer, vlan_header, "vlans");
    DeviceNames names(query.channel);
    uint32_t port = 0;
    bool handed_over = false;
    const Verdict verdict = query.channel.dump(message, [&](const nlmsghdr& answer) {
        const auto* header = family_header<br_vlan_msg>(answer);
        if (answer.nlmsg_type != RTM_NEWVLAN || header == nullptr ||
            !query.wants_device(header->ifindex)) {
            return true;
        }
        if (header->ifindex != port) rows.close_port();
        port = header->ifindex;
        for (const Attribute attribute : AttributeRange(attribute_bytes<br_vlan_msg>(answer))) {
            if (attribute.type() != BRIDGE_VLANDB_GLOBAL_OPTIONS) continue;
            const GlobalOptions options(attribute);
            handed_over = is_unusual(options) && query.context.hand_over("multicast router ports");
            if (handed_over) return false;
            print_vlan(query, printer, rows, names.name(port), options);
        }
        return printer.flush_if_large();
    });
    if (handed_over) return 0;
    if (const int status = dump_terminated(query.context, verdict); status != 0) {
        printer.flush();
        return status;
    }
    rows.close_port();
    printer.end_document();
    return 0;
}

}  // namespace nlsh
