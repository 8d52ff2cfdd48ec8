#include "backend/bridge/port.h"

#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_bridge.h>

#include "backend/bridge/port_state.h"

namespace nlsh {
namespace {

struct Flag {
    uint32_t bit;
    std::string_view word;
};
// In iproute2's order. RUNNING is never printed.
constexpr Flag flags[] = {
    {IFF_LOOPBACK, "LOOPBACK"},   {IFF_BROADCAST, "BROADCAST"},   {IFF_POINTOPOINT, "POINTOPOINT"},
    {IFF_MULTICAST, "MULTICAST"}, {IFF_NOARP, "NOARP"},           {IFF_ALLMULTI, "ALLMULTI"},
    {IFF_PROMISC, "PROMISC"},     {IFF_MASTER, "MASTER"},         {IFF_SLAVE, "SLAVE"},
    {IFF_DEBUG, "DEBUG"},         {IFF_DYNAMIC, "DYNAMIC"},       {IFF_AUTOMEDIA, "AUTOMEDIA"},
    {IFF_PORTSEL, "PORTSEL"},     {IFF_NOTRAILERS, "NOTRAILERS"}, {IFF_UP, "UP"},
    {IFF_LOWER_UP, "LOWER_UP"},   {IFF_DORMANT, "DORMANT"},       {IFF_ECHO, "ECHO"},
};

class FlagList {
  public:
    explicit FlagList(Printer& printer) : printer_(printer) {
        printer_.open_array("flags");
        printer_.text("<");
    }
    void word(std::string_view word, bool always_comma = false) {
        printer_.string("", first_ && !always_comma ? "" : ",", word, "");
        first_ = false;
    }
    void close() {
        printer_.close_array();
        printer_.text("> ");
    }

  private:
    Printer& printer_;
    bool first_ = true;
};

void print_flags(Printer& printer, uint32_t value, bool lower_down) {
    FlagList list(printer);
    if ((value & IFF_UP) != 0 && (value & IFF_RUNNING) == 0) list.word("NO-CARRIER");
    uint32_t rest = value & ~uint32_t{IFF_RUNNING};
    for (const Flag& flag : flags) {
        if ((rest & flag.bit) == 0) continue;
        list.word(flag.word);
        rest &= ~flag.bit;
    }
    if (rest != 0) list.word(fmt::format("{:x}", rest));
    if (lower_down) list.word("M-DOWN", true);
    list.close();
}

enum class Form : uint8_t { on_off, number, device };

// The second line, with -d.
struct Detail {
    uint16_t type;
    std::string_view key;
    std::string_view before;
    Form form = Form::on_off;
};
constexpr Detail details[] = {
    {IFLA_BRPORT_MODE, "hairpin", "hairpin "},
    {IFLA_BRPORT_GUARD, "guard", "guard "},
    {IFLA_BRPORT_PROTECT, "root_block", "root_block "},
    {IFLA_BRPORT_FAST_LEAVE, "fastleave", "fastleave "},
    {IFLA_BRPORT_LEARNING, "learning", "learning "},
    {IFLA_BRPORT_LEARNING_SYNC, "learning_sync", "learning_sync "},
    {IFLA_BRPORT_UNICAST_FLOOD, "flood", "flood "},
    {IFLA_BRPORT_MCAST_FLOOD, "mcast_flood", "mcast_flood "},
    {IFLA_BRPORT_BCAST_FLOOD, "bcast_flood", "bcast_flood "},
    {IFLA_BRPORT_MULTICAST_ROUTER, "mcast_router", "mcast_router ", Form::number},
    {IFLA_BRPORT_MCAST_TO_UCAST, "mcast_to_unicast", "mcast_to_unicast "},
    {IFLA_BRPORT_NEIGH_SUPPRESS, "neigh_suppress", "neigh_suppress "},
    {IFLA_BRPORT_VLAN_TUNNEL, "vlan_tunnel", "vlan_tunnel "},
    {IFLA_BRPORT_BACKUP_PORT, "backup_port", "backup_port ", Form::device},
    {IFLA_BRPORT_ISOLATED, "isolated", "isolated "},
    {IFLA_BRPORT_LOCKED, "locked", "locked "},
};

void print_details(Printer& printer, DeviceNames& names,
                   const Attributes<IFLA_BRPORT_MAX>& attributes) {
    printer.line_break();
    printer.text("    ");
    for (const Detail& detail : details) {
        const Attribute attribute = attributes[detail.type];
        if (!attribute) continue;
        switch (detail.form) {
            case Form::on_off:
                printer.on_off(detail.key, detail.before, attribute.u8() != 0, " ");
                break;
            case Form::number:
                printer.number(detail.key, detail.before, attribute.u8(), " ");
                break;
            case Form::device:
                printer.string(detail.key, detail.before, names.name(attribute.u32()), " ");
                break;
        }
    }
}

void print_port_information(Printer& printer, DeviceNames& names, Attribute nest) {
    const Attributes<IFLA_BRPORT_MAX> attributes(nest);
    if (const Attribute state = attributes[IFLA_BRPORT_STATE]) {
        printer.string("state", "state ", port_state_name(state.u8()), " ");
    }
    if (const Attribute priority = attributes[IFLA_BRPORT_PRIORITY]) {
        printer.number("priority", "priority ", priority.u16(), " ");
    }
    if (const Attribute cost = attributes[IFLA_BRPORT_COST]) {
        printer.number("cost", "cost ", cost.u32(), " ");
    }
    if (printer.options().details > 0) print_details(printer, names, attributes);
}

}  // namespace

void print_port(Printer& printer, DeviceNames& names, const ifinfomsg& header,
                const Attributes<IFLA_MAX>& attributes, bool lower_down) {
    const auto ifindex = static_cast<uint32_t>(header.ifi_index);
    printer.open_object();
    printer.number("ifindex", "", ifindex, ": ");
    if (printer.json()) {
        if (const Attribute link = attributes[IFLA_LINK]) {
            printer.json_string("link", names.name(link.u32()));
        }
        printer.json_string("ifname", attributes[IFLA_IFNAME].string());
    } else {
        printer.paint(Color::ifname);
        printer.text(attributes[IFLA_IFNAME].string());
        if (const Attribute link = attributes[IFLA_LINK]) {
            const bool elsewhere = static_cast<bool>(attributes[IFLA_LINK_NETNSID]);
            printer.text("@" + lower_name(names, link.u32(), elsewhere));
        }
        printer.text(": ");
        printer.unpaint(Color::ifname);
    }
    print_flags(printer, header.ifi_flags, lower_down);
    if (const Attribute mtu = attributes[IFLA_MTU]) printer.number("mtu", "mtu ", mtu.u32(), " ");
    if (const Attribute master = attributes[IFLA_MASTER]) {
        printer.string("master", "master ", names.name(master.u32()), " ");
    }
    if (const Attribute port = attributes[IFLA_PROTINFO]) {
        print_port_information(printer, names, port);
    }
    printer.text("\n");
    printer.close_object();
}

}  // namespace nlsh
