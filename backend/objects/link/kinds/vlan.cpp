// VLAN devices.
#include <fmt/format.h>
#include <linux/if_link.h>
#include <linux/if_vlan.h>

#include "backend/objects/link/kinds/codec.h"

namespace nlsh {
namespace {

// FROM:TO …: takes words as long as they look like this.
Parsed<void> read_qos_map(OptionScope& scope, const LinkRow& row, Arguments& arguments) {
    LinkNest map;
    while (!arguments.empty() && arguments.peek().find(':') != std::string_view::npos) {
        const std::string_view word = arguments.take();
        const size_t colon = word.find(':');
        const auto from = parse_u32(word.substr(0, colon));
        const auto to = parse_u32(word.substr(colon + 1));
        if (!from || !to) return declined("vlan: bad mapping");
        const ifla_vlan_qos_mapping mapping{.from = *from, .to = *to};
        map.attributes.push_back({IFLA_VLAN_QOS_MAPPING, bytes_of(mapping)});
    }
    if (map.attributes.empty()) return declined("vlan: no mapping");
    return scope.put(row.attribute, std::move(map));
}

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

void print_vlan_flags(const KindOutput& output, const LinkRow& row, Attribute value) {
    uint32_t flags = value.as<ifla_vlan_flags>().flags;
    output.printer.open_array(row.json_key());
    std::string_view before = "<";
    for (const VlanFlag& flag : vlan_flags) {
        if ((flags & flag.bit) == 0) continue;
        flags &= ~flag.bit;
        output.printer.string({}, before, flag.name, {});
        before = ",";
    }
    output.printer.text(before == "<" ? "<> " : "> ");
    output.printer.close_array();
    if (flags != 0) output.context.fall_back("unknown VLAN flags");
}

void print_qos_map(const KindOutput& output, const LinkRow& row, Attribute value) {
    Printer& printer = output.printer;
    printer.open_array(row.json_key());
    printer.line_break();
    printer.text(fmt::format("      {} {{ ", row.text_label()));
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

// clang-format off
constexpr LinkRow rows[] = {
    {.word = "protocol", .attribute = IFLA_VLAN_PROTOCOL, .codec = vlan_protocol,
     .complaint = "{} is invalid"},
    {.word = "id", .attribute = IFLA_VLAN_ID, .codec = u16, .complaint = "{} is invalid"},
    {.attribute = IFLA_VLAN_FLAGS, .codec = {.print = print_vlan_flags}, .key = "flags"},
    {.word = "reorder_hdr", .attribute = IFLA_VLAN_FLAGS, .codec = {read_bit},
     .parameter = VLAN_FLAG_REORDER_HDR},
    {.word = "gvrp", .attribute = IFLA_VLAN_FLAGS, .codec = {read_bit},
     .parameter = VLAN_FLAG_GVRP},
    {.word = "mvrp", .attribute = IFLA_VLAN_FLAGS, .codec = {read_bit},
     .parameter = VLAN_FLAG_MVRP},
    {.word = "loose_binding", .attribute = IFLA_VLAN_FLAGS, .codec = {read_bit},
     .parameter = VLAN_FLAG_LOOSE_BINDING},
    {.word = "bridge_binding", .attribute = IFLA_VLAN_FLAGS, .codec = {read_bit},
     .parameter = VLAN_FLAG_BRIDGE_BINDING},
    {.word = "ingress-qos-map", .attribute = IFLA_VLAN_INGRESS_QOS,
     .codec = {read_qos_map, print_qos_map}, .key = "ingress_qos"},
    {.word = "egress-qos-map", .attribute = IFLA_VLAN_EGRESS_QOS,
     .codec = {read_qos_map, print_qos_map}, .key = "egress_qos"},
};
// clang-format on

Parsed<void> finish(OptionScope& scope) {
    scope.move_to_end(IFLA_VLAN_FLAGS);
    return {};
}

}  // namespace

extern constexpr LinkKind vlan_kind{.name = "vlan", .rows = rows, .finish = finish};

}  // namespace nlsh
