// VLAN devices.
#include <fmt/format.h>
#include <linux/if_link.h>
#include <linux/if_vlan.h>

#include "backend/link/kinds/field.h"

namespace nlsh {
namespace {

struct VlanFlag {
    uint32_t bit;
    std::string_view name;
};
constexpr VlanFlag vlan_flags[] = {
    {VLAN_FLAG_REORDER_HDR, "REORDER_HDR"},
    {VLAN_FLAG_GVRP, "GVRP"},
    {VLAN_FLAG_MVRP, "MVRP"},
    {VLAN_FLAG_LOOSE_BINDING, "LOOSE_BINDING"},
    {VLAN_FLAG_BRIDGE_BINDING, "BRIDGE_BINDING"},
};

void print_vlan_flags(const KindOutput& output, const Field& field, Attribute value) {
    uint32_t flags = value.as<ifla_vlan_flags>().flags;
    output.printer.open_array(field.key);
    std::string_view before = "<";
    for (const VlanFlag& flag : vlan_flags) {
        if ((flags & flag.bit) == 0) continue;
        flags &= ~flag.bit;
        output.printer.string({}, before, flag.name, {});
        before = ",";
    }
    output.printer.text(before == "<" ? "<> " : "> ");
    output.printer.close_array();
    if (flags != 0) output.context.hand_over("unknown VLAN flags");
}

void print_qos_map(const KindOutput& output, const Field& field, Attribute value) {
    Printer& printer = output.printer;
    printer.open_array(field.key);
    printer.line_break();
    printer.text(fmt::format("      {} {{ ", field.label));
    for (const Attribute entry : AttributeRange(value.bytes())) {
        if (entry.type() != IFLA_VLAN_QOS_MAPPING) continue;
        const auto map = entry.as<ifla_vlan_qos_mapping>();
        printer.open_object();
        printer.number("from", {}, map.from, ":");
        printer.number("to", {}, map.to, " ");
        printer.close_object();
    }
    printer.text("} ");
    printer.close_array();
}

constexpr Field table[] = {
    {IFLA_VLAN_PROTOCOL, print_vlan_protocol, "protocol", "protocol"},
    {IFLA_VLAN_ID, print_number, "id", "id"},
    {IFLA_VLAN_FLAGS, print_vlan_flags, "flags", ""},
    {IFLA_VLAN_INGRESS_QOS, print_qos_map, "ingress_qos", "ingress-qos-map"},
    {IFLA_VLAN_EGRESS_QOS, print_qos_map, "egress_qos", "egress-qos-map"},
};

}  // namespace

const std::span<const Field> vlan_fields = table;

}  // namespace nlsh
