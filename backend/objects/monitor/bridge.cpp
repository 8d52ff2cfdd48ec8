// Prints each kind of message for `bridge monitor`.
#include <linux/if_bridge.h>
#include <linux/if_link.h>

#include "backend/objects/bridge/fdb_entry.h"
#include "backend/objects/bridge/port.h"
#include "backend/objects/bridge/vlan/query.h"
#include "backend/objects/bridge/vni_entries.h"
#include "backend/objects/monitor/monitor.h"

namespace nlsh {

// Any family: messages of ports are among them.
void MonitorPrinter::port(const nlmsghdr& message) {
    const auto* header = family_header<ifinfomsg>(message);
    if (header == nullptr) return;
    if (message.nlmsg_type == RTM_DELLINK) printer_.text("Deleted ");
    const bool lower_down = links_.lower_is_down(LinkAttributes(message, LinkView::monitor));
    print_port(context_, printer_, links_.names(), *header,
               Attributes<IFLA_MAX>(attribute_bytes<ifinfomsg>(message)), lower_down);
}

void MonitorPrinter::fdb(const nlmsghdr& message) {
    const auto* header = family_header<ndmsg>(message);
    if (header == nullptr) return;
    const Attributes<NDA_MAX> attributes(attribute_bytes<ndmsg>(message));
    print_fdb_entry(context_, printer_, links_.names(), *header, attributes, true);
}

void MonitorPrinter::mdb(const nlmsghdr& message) {
    const auto* header = family_header<br_port_msg>(message);
    if (header == nullptr) return;
    groups_.print_event(header->ifindex,
                        Attributes<MDBA_MAX>(attribute_bytes<br_port_msg>(message)),
                        message.nlmsg_type == RTM_DELMDB);
}

void MonitorPrinter::vlan(const nlmsghdr& message) {
    const auto* header = family_header<br_vlan_msg>(message);
    if (header == nullptr) return;
    const VlanQuery query{.context = context_, .options = printer_.options(), .channel = channel_};
    VlanRows rows(printer_, {}, "vlans");
    const std::string_view name = links_.names().name(header->ifindex);
    for (const Attribute entry : AttributeRange(attribute_bytes<br_vlan_msg>(message))) {
        if (entry.type() == BRIDGE_VLANDB_ENTRY) {
            print_vlan_options(query, printer_, rows, name, entry);
        } else if (entry.type() == BRIDGE_VLANDB_GLOBAL_OPTIONS) {
            print_global_options(query, printer_, rows, name, entry);
        }
    }
}

void MonitorPrinter::vni(const nlmsghdr& message) {
    const auto* header = family_header<tunnel_msg>(message);
    if (header == nullptr) return;
    print_vnis(context_, printer_, links_.names().name(header->ifindex),
               attribute_bytes<tunnel_msg>(message));
}

}  // namespace nlsh
