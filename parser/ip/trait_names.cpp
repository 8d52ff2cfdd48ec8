#include "parser/ip/trait_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace nlsh {
namespace {

struct Named {
    Trait trait;
    std::string_view name;
};

constexpr Named names[] = {
    {Trait::always, "always"},
    {Trait::on_off_by_table, "on_off_by_table"},
    {Trait::nexthop_buckets, "nexthop_buckets"},
    {Trait::nexthop_flags_always, "nexthop_flags_always"},
    {Trait::counters_in_columns, "counters_in_columns"},
    {Trait::brief_neighbors, "brief_neighbors"},
    {Trait::blanks_after_neighbor_words, "blanks_after_neighbor_words"},
    {Trait::vlan_options, "vlan_options"},
    {Trait::any_label, "any_label"},
    {Trait::bridge_link_of_ports, "bridge_link_of_ports"},
    {Trait::mdb_mac_groups, "mdb_mac_groups"},
    {Trait::vni_object, "vni_object"},
    {Trait::fdb_flush, "fdb_flush"},
    {Trait::stats_object, "stats_object"},
    {Trait::echo_option, "echo_option"},
    {Trait::words_of_6_1, "words_of_6_1"},
    {Trait::one_blank_before_allmulti, "one_blank_before_allmulti"},
    {Trait::vxlan_booleans_last, "vxlan_booleans_last"},
    {Trait::bridge_root_id, "bridge_root_id"},
    {Trait::on_off_in_full, "on_off_in_full"},
    {Trait::garbage_without_article, "garbage_without_article"},
    {Trait::encap_type_required, "encap_type_required"},
    {Trait::invalid_port, "invalid_port"},
    {Trait::vni_named_twice, "vni_named_twice"},
    {Trait::fdb_flush_reads_all, "fdb_flush_reads_all"},
    {Trait::mdb_reads_more_words, "mdb_reads_more_words"},
    {Trait::rule_port_zero, "rule_port_zero"},
    {Trait::wide_nexthop_weights, "wide_nexthop_weights"},
    {Trait::link_ipv4_max_sizes, "link_ipv4_max_sizes"},
    {Trait::address_protocol, "address_protocol"},
    {Trait::vxlan_localbypass, "vxlan_localbypass"},
    {Trait::vxlan_reserved_bits, "vxlan_reserved_bits"},
    {Trait::bridge_fdb_limit, "bridge_fdb_limit"},
    {Trait::bridge_mst_enabled, "bridge_mst_enabled"},
    {Trait::bridge_vlan_msti, "bridge_vlan_msti"},
    {Trait::port_mab, "port_mab"},
    {Trait::port_group_limits, "port_group_limits"},
    {Trait::port_neigh_vlan_suppress, "port_neigh_vlan_suppress"},
    {Trait::port_backup_nhid, "port_backup_nhid"},
    {Trait::bond_coupled_control, "bond_coupled_control"},
    {Trait::macvlan_bclim, "macvlan_bclim"},
    {Trait::vni_table_tight, "vni_table_tight"},
    {Trait::mdb_protocol_without_blank, "mdb_protocol_without_blank"},
    {Trait::mdb_of_vxlan, "mdb_of_vxlan"},
    {Trait::encap_as_object, "encap_as_object"},
    {Trait::route_json_closed, "route_json_closed"},
    {Trait::neighbor_get_json, "neighbor_get_json"},
    {Trait::rule_port_masks, "rule_port_masks"},
    {Trait::rule_dscp, "rule_dscp"},
    {Trait::rule_flowlabel, "rule_flowlabel"},
    {Trait::nexthop_statistics, "nexthop_statistics"},
    {Trait::route_devices_of_hops, "route_devices_of_hops"},
    {Trait::monitor_joined_addresses, "monitor_joined_addresses"},
    {Trait::kinds_refuse_garbage, "kinds_refuse_garbage"},
    {Trait::netns_pid_opened, "netns_pid_opened"},
    {Trait::option_lacks_value, "option_lacks_value"},
    {Trait::bridge_link_master, "bridge_link_master"},
    {Trait::netconf_reports, "netconf_reports"},
    {Trait::netns_set_silent, "netns_set_silent"},
    {Trait::colour_on_terminals, "colour_on_terminals"},
    {Trait::no_color_variable, "no_color_variable"},
    {Trait::names_in_usr_share, "names_in_usr_share"},
    {Trait::link_show_down, "link_show_down"},
    {Trait::route_get_words, "route_get_words"},
    {Trait::mdb_more_verbs, "mdb_more_verbs"},
    {Trait::vni_more_words, "vni_more_words"},
    {Trait::fdb_protocol, "fdb_protocol"},
};

}  // namespace

std::string_view trait_name(Trait trait) {
    const auto* const found = std::ranges::find(names, trait, &Named::trait);
    return found == std::end(names) ? "unnamed" : found->name;
}

std::optional<Trait> trait_named(std::string_view name) {
    const auto* const found = std::ranges::find(names, name, &Named::name);
    return found == std::end(names) ? std::nullopt : std::optional(found->trait);
}

std::string unknown_trait(Traits traits, Trait since, Trait until) {
    const bool begun = traits[since] == Traits::Answer::unknown;
    return fmt::format("whether this iproute2 has the trait {} isn't known",
                       trait_name(begun ? since : until));
}

}  // namespace nlsh
