// Bridge ports, for ip(8) and bridge(8).
#include <fmt/format.h>
#include <linux/if_link.h>

#include <algorithm>

#include "backend/objects/bridge/port.h"
#include "backend/objects/bridge/words/values.h"
#include "backend/objects/link/kinds/codec.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {
namespace {

// iproute2 prints the fast-leave bit twice in text.
void print_fast_leave_again(const KindOutput& output, const LinkRow& row, Attribute value) {
    output.printer.text(fmt::format("{} {} ", row.text_label(), value.u8() != 0 ? "on" : "off"));
}

// Prints the link-local groups that the port forwards, each by name or in hex.
void print_group_names(const KindOutput& output, const LinkRow& row, Attribute value) {
    struct Group {
        unsigned bit;
        std::string_view name;
    };
    static constexpr Group groups[] = {{1U << 0, "stp"}, {1U << 2, "lacp"}, {1U << 14, "lldp"}};
    const unsigned mask = value.u16();
    std::string text;
    for (unsigned bit = 1; bit <= mask; bit <<= 1) {
        if ((mask & bit) == 0) continue;
        const auto* group = std::ranges::find(groups, bit, &Group::bit);
        text += text.empty() ? "" : ",";
        text += group != std::end(groups) ? std::string(group->name) : fmt::format("{:#x}", bit);
    }
    if (text.empty()) text = "0x0";
    print_text(output, row, text);
}

// A switch of both tools.
constexpr BridgePortRow on_off_option(std::string_view word, uint16_t attribute,
                                      Trait since = Trait::always) {
    return {.link = {.word = word, .attribute = attribute, .codec = on_off, .since = since},
            .value = PortValue::on_off};
}

// clang-format off
constexpr BridgePortRow port_rows[] = {
    {.link = {.word = "state", .attribute = IFLA_BRPORT_STATE, .codec = {read_u8, print_word},
              .names = port_states, .complaint = "{} is invalid"}, .value = PortValue::state},
    {.link = {.word = "priority", .attribute = IFLA_BRPORT_PRIORITY, .codec = u16,
              .complaint = "{} is invalid"}, .value = PortValue::priority},
    {.link = {.word = "cost", .attribute = IFLA_BRPORT_COST, .codec = u32,
              .complaint = "{} is invalid"}, .value = PortValue::cost},
    on_off_option("hairpin", IFLA_BRPORT_MODE),
    on_off_option("guard", IFLA_BRPORT_GUARD),
    on_off_option("root_block", IFLA_BRPORT_PROTECT),
    on_off_option("fastleave", IFLA_BRPORT_FAST_LEAVE),
    on_off_option("learning", IFLA_BRPORT_LEARNING),
    {.link = {.word = "learning_sync", .attribute = IFLA_BRPORT_LEARNING_SYNC},
     .value = PortValue::on_off},
    on_off_option("flood", IFLA_BRPORT_UNICAST_FLOOD),
    {.link = printed(IFLA_BRPORT_ID, print_hex, "port_id", "id")},
    {.link = printed(IFLA_BRPORT_NO, print_hex, "port_no", "no")},
    {.link = printed(IFLA_BRPORT_DESIGNATED_PORT, print_number, "designated_port")},
    {.link = printed(IFLA_BRPORT_DESIGNATED_COST, print_number, "designated_cost")},
    {.link = printed(IFLA_BRPORT_BRIDGE_ID, print_bridge_id, "designated_bridge", "bridge_id")},
    {.link = printed(IFLA_BRPORT_ROOT_ID, print_bridge_id, "designated_root", "root_id")},
    {.link = printed(IFLA_BRPORT_HOLD_TIMER, print_timer, "hold_timer")},
    {.link = printed(IFLA_BRPORT_MESSAGE_AGE_TIMER, print_timer, "message_age_timer")},
    {.link = printed(IFLA_BRPORT_FORWARD_DELAY_TIMER, print_timer, "forward_delay_timer")},
    {.link = printed(IFLA_BRPORT_TOPOLOGY_CHANGE_ACK, print_number, "topology_change_ack")},
    {.link = printed(IFLA_BRPORT_CONFIG_PENDING, print_number, "config_pending")},
    {.link = {.word = "proxy_arp", .attribute = IFLA_BRPORT_PROXYARP, .codec = on_off}},
    {.link = {.word = "proxy_arp_wifi", .attribute = IFLA_BRPORT_PROXYARP_WIFI, .codec = on_off}},
    {.link = {.word = "mcast_router", .attribute = IFLA_BRPORT_MULTICAST_ROUTER, .codec = u8,
              .complaint = invalid, .key = "multicast_router"}, .value = PortValue::router,
     .after = IFLA_BRPORT_BCAST_FLOOD, .since = Trait::words_of_6_1},
    {.link = {.word = "mcast_fast_leave", .attribute = IFLA_BRPORT_FAST_LEAVE,
              .codec = {read_on_off, print_fast_leave_again}}},
    on_off_option("mcast_flood", IFLA_BRPORT_MCAST_FLOOD),
    on_off_option("bcast_flood", IFLA_BRPORT_BCAST_FLOOD, Trait::words_of_6_1),
    on_off_option("mcast_to_unicast", IFLA_BRPORT_MCAST_TO_UCAST),
    on_off_option("neigh_suppress", IFLA_BRPORT_NEIGH_SUPPRESS),
    on_off_option("neigh_vlan_suppress", newer::IFLA_BRPORT_NEIGH_VLAN_SUPPRESS,
                  Trait::port_neigh_vlan_suppress),
    on_off_option("neigh_forward_grat", newer::IFLA_BRPORT_NEIGH_FORWARD_GRAT,
                  Trait::port_neigh_forward_grat),
    {.link = {.word = "group_fwd_mask", .attribute = IFLA_BRPORT_GROUP_FWD_MASK,
              .codec = {read_u16, print_hex_mask}, .complaint = invalid}},
    {.link = printed(IFLA_BRPORT_GROUP_FWD_MASK, print_group_names, "group_fwd_mask_str")},
    on_off_option("vlan_tunnel", IFLA_BRPORT_VLAN_TUNNEL),
    on_off_option("isolated", IFLA_BRPORT_ISOLATED),
    on_off_option("locked", IFLA_BRPORT_LOCKED, Trait::words_of_6_1),
    on_off_option("mab", newer::IFLA_BRPORT_MAB, Trait::port_mab),
    {.link = {.attribute = newer::IFLA_BRPORT_MCAST_N_GROUPS, .label = "mcast_n_groups",
              .since = Trait::port_group_limits},
     .value = PortValue::number},
    {.link = {.word = "mcast_max_groups", .attribute = newer::IFLA_BRPORT_MCAST_MAX_GROUPS,
              .since = Trait::port_group_limits},
     .value = PortValue::number},
    {.link = {.word = "backup_port", .attribute = IFLA_BRPORT_BACKUP_PORT,
              .codec = {read_device<LinkDevice::Role::master>, print_device}},
     .value = PortValue::device, .after = IFLA_BRPORT_VLAN_TUNNEL},
    {.link = {.word = "nobackup_port", .attribute = IFLA_BRPORT_BACKUP_PORT, .codec = {set_u32}},
     .value = PortValue::no_device},
    {.link = {.word = "backup_nhid", .attribute = newer::IFLA_BRPORT_BACKUP_NHID,
              .codec = {read_u32, print_number_if_set}, .complaint = "{} is invalid",
              .since = Trait::port_backup_nhid},
     .value = PortValue::number_if_set, .after = IFLA_BRPORT_VLAN_TUNNEL},
    {.link = {.word = "fdb_flush", .attribute = IFLA_BRPORT_FLUSH, .codec = {set_flag}}},
};
// clang-format on

constexpr auto link_rows = [] {
    std::array<LinkRow, std::size(port_rows)> rows;
    std::ranges::transform(port_rows, rows.begin(), &BridgePortRow::link);
    return rows;
}();

// Sorts the rows: a row with `after` follows that row, the others keep their order.
struct Order {
    std::array<const BridgePortRow*, std::size(port_rows)> rows{};
    size_t size = 0;

    constexpr Order() {
        for (const BridgePortRow& row : port_rows) {
            if (row.value == PortValue::none || row.after != 0) continue;
            rows[size++] = &row;
            for (const BridgePortRow& late : port_rows) {
                if (late.after == row.link.attribute) rows[size++] = &late;
            }
        }
    }
};
constexpr Order order;

}  // namespace

extern constexpr std::span<const BridgePortRow* const> bridge_port_order(order.rows.data(),
                                                                         order.size);
extern constexpr std::span<const BridgePortRow> bridge_port_rows = port_rows;
extern constexpr LinkKind bridge_slave_kind{.name = "bridge_slave", .rows = link_rows};

}  // namespace nlsh
