// What differs between builds of iproute2. A trait is one named difference, a profile is what is
// known of one build. Nothing else in the parser and the backend may depend on which iproute2 is
// installed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nlsh {

// Named for the newer behaviour. First those that 6.1.0 has and older builds lack, then those that
// came after it. A word's trait is also that of what a show prints of it.
enum class Trait : uint8_t {
    always,  // what every build has: with it a row begins that names no other

    // 5.11: of on and off errors name both, `must be one of "off", "on"`.
    on_off_by_table,
    // 5.11: `ip nexthop bucket`, and types of groups.
    nexthop_buckets,
    // 5.11: in JSON a nexthop has flags, even if they are none.
    nexthop_flags_always,
    // 5.14: a link's counters stand right in columns as wide as they need.
    counters_in_columns,
    // 5.14: `ip -br neigh` is brief.
    brief_neighbors,
    // 5.16: each word of `ip neigh` has its blank after it.
    blanks_after_neighbor_words,
    // 5.16: `bridge vlan set` and `global`, `bridge -d vlan` by a request of its own.
    vlan_options,
    // 5.17: an address's label needn't begin with its device.
    any_label,
    // 5.17: `bridge -d link` is of ports alone, and without their VLANs.
    bridge_link_of_ports,
    // 5.17: `bridge mdb` takes groups that are MAC addresses.
    mdb_mac_groups,
    // 5.18: `bridge vni`.
    vni_object,
    // 5.19: `bridge fdb flush`.
    fdb_flush,
    // 5.19: `ip stats`.
    stats_object,
    // 6.1: -echo.
    echo_option,
    // Words between 5.10 and 6.1 that no other trait has.
    words_of_6_1,

    // What came after 6.1.0.
    // 6.4: one blank before allmulti in -d, not two.
    one_blank_before_allmulti,
    // 6.4: a VXLAN's booleans come last, unless they are as usual, each with its blank.
    vxlan_booleans_last,
    // 6.5: a bridge's designated_root is its root's id, not its own.
    bridge_root_id,
    // 6.8: "on" and "off" can't be abbreviated.
    on_off_in_full,
    // `… or "x" is garbage.`, not "is a garbage".
    garbage_without_article,
    // `encap seg6` at the end of a line: a type is required, not an unexpected end.
    encap_type_required,
    // A rule's bad sport or dport is a port, not a port range.
    invalid_port,
    // `bridge vni` names what is given twice, "vni" or "destination", not a group.
    vni_named_twice,
    // `bridge fdb flush` refuses words that it doesn't know.
    fdb_flush_reads_all,
    // `bridge mdb add` obeys proto, filter_mode, dst and others, which it skipped before.
    mdb_reads_more_words,
    // `ip rule show sport 0` is a filter.
    rule_port_zero,
    // The weights of a group's nexthops have 16 bits.
    wide_nexthop_weights,
    // 6.3: a link's gso_ipv4_max_size and gro_ipv4_max_size.
    link_ipv4_max_sizes,
    // 6.4: the protocol that an address is from.
    address_protocol,
    // 6.5: VXLAN's localbypass.
    vxlan_localbypass,
    // 6.15: VXLAN's reserved_bits.
    vxlan_reserved_bits,
    // 6.7: a bridge's fdb_max_learned, with -d fdb_n_learned.
    bridge_fdb_limit,
    // A bridge's mst_enabled.
    bridge_mst_enabled,
    // The msti of `bridge vlan global`, and `bridge mst`.
    bridge_vlan_msti,
    // 6.2: a port's mab.
    port_mab,
    // 6.3: mcast_n_groups and mcast_max_groups, of a port and of its VLANs.
    port_group_limits,
    // 6.4: a port's neigh_vlan_suppress, its VLANs' neigh_suppress.
    port_neigh_vlan_suppress,
    // 6.7: a port's backup_nhid.
    port_backup_nhid,
    // 6.8: a bond's coupled_control.
    bond_coupled_control,
    // 6.4: a macvlan's bclim.
    macvlan_bclim,
    // 6.7: `bridge vni` in columns without blanks at their ends, and without empty lines.
    vni_table_tight,
    // 6.2: no blank after the protocol in `bridge -d mdb`.
    mdb_protocol_without_blank,
    // `bridge mdb` shows VXLAN's entries, and their destinations.
    mdb_of_vxlan,
    // 6.3: in JSON a route's encapsulation is an object.
    encap_as_object,
    // `ip -j route` closes its array after an error.
    route_json_closed,
    // 6.2: `ip -j neigh get` is JSON.
    neighbor_get_json,
    // 6.15: the masks of a rule's ports.
    rule_port_masks,
    // A rule's dscp.
    rule_dscp,
    // A rule's flowlabel.
    rule_flowlabel,
    // Nexthops are asked for with NHA_OP_FLAGS; groups have hw_stats and counters.
    nexthop_statistics,
    // `ip route show dev` shows the routes of which one hop of several has the device.
    route_devices_of_hops,
    // `ip monitor` reports the multicast and anycast addresses that come and go.
    monitor_joined_addresses,

    // 6.5: words after a type without options are refused, not skipped.
    kinds_refuse_garbage,
    // `netns PID` is opened as a file, and sent as a descriptor.
    netns_pid_opened,
    // -f, -l, -rc and -b lack an argument as the last word; before, the usage is printed.
    option_lacks_value,
    // `bridge link show master X` is a filter.
    bridge_link_master,
    // `ip -M netconf show dev X` reports what the kernel says.
    netconf_reports,
    // `ip netns set` of no namespace says nothing.
    netns_set_silent,
    // Colours are on if stdout is a terminal.
    colour_on_terminals,
    // 6.15: NO_COLOR turns them off.
    no_color_variable,
    // Names are those of /usr/share/iproute2, and of /etc/iproute2 over them.
    names_in_usr_share,

    // Words. `ip link show down | novf`, `ip address show down`.
    link_show_down,
    // `ip route get` with to, as, flowlabel, notify.
    route_get_words,
    // 6.2 to 6.8: `bridge mdb replace`, `get` and `flush`.
    mdb_more_verbs,
    // `bridge vni del`, `bridge vni show dev`.
    vni_more_words,

    // In no release: SONiC's patch, `bridge fdb` has protocols, of which one is `hw`.
    fdb_protocol,
    count,
    never = count,  // what no build has: with it a row ends that names no other
};
inline constexpr Trait first_after_6_1 = Trait::one_blank_before_allmulti;
inline constexpr Trait first_after_6_15 = Trait::fdb_protocol;

// A value; copies are cheap. Not known is not the same as lacking: what depends on a trait that
// isn't known is left to the real binary.
class Traits {
  public:
    enum class Answer : uint8_t { no, yes, unknown };

    constexpr Traits() { set(Trait::always, true); }
    constexpr void set(Trait trait, bool on) {
        known_.set(trait, true);
        on_.set(trait, on);
    }
    constexpr void forget(Trait trait) {
        known_.set(trait, false);
        on_.set(trait, false);
    }
    constexpr Answer operator[](Trait trait) const {
        if (!known_.has(trait)) return Answer::unknown;
        return on_.has(trait) ? Answer::yes : Answer::no;
    }
    constexpr bool has(Trait trait) const { return (*this)[trait] == Answer::yes; }
    constexpr bool lacks(Trait trait) const { return (*this)[trait] == Answer::no; }
    // Whether a row counts that came with one trait and went with another.
    constexpr Answer counts(Trait since, Trait until) const {
        const Answer begun = (*this)[since];
        const Answer ended = until == Trait::never ? Answer::no : (*this)[until];
        if (begun == Answer::no || ended == Answer::yes) return Answer::no;
        return begun == Answer::yes && ended == Answer::no ? Answer::yes : Answer::unknown;
    }
    constexpr bool all_known() const {
        for (uint8_t i = 0; i < static_cast<uint8_t>(Trait::count); ++i) {
            if (!known_.has(static_cast<Trait>(i))) return false;
        }
        return true;
    }
    // Objects, by their places in the tool's table, whose output or errors differ in ways that no
    // trait tells of: they are left to the real binary.
    constexpr void leave(size_t object) { left_ |= uint64_t{1} << object; }
    constexpr bool leaves(size_t object) const { return (left_ >> object & 1) != 0; }
    bool operator==(const Traits&) const = default;

  private:
    // std::bitset has no constexpr set() before GCC 13's library.
    class Set {
      public:
        constexpr bool has(Trait trait) const { return (words_[word(trait)] & bit(trait)) != 0; }
        constexpr void set(Trait trait, bool on) {
            uint64_t& bits = words_[word(trait)];
            bits = on ? bits | bit(trait) : bits & ~bit(trait);
        }
        bool operator==(const Set&) const = default;

      private:
        static constexpr size_t word(Trait trait) { return static_cast<size_t>(trait) / 64; }
        static constexpr uint64_t bit(Trait trait) {
            return uint64_t{1} << static_cast<size_t>(trait) % 64;
        }
        std::array<uint64_t, static_cast<size_t>(Trait::count) / 64 + 1> words_{};
    };

    Set known_;
    Set on_;
    uint64_t left_ = 0;
};

// What has all that comes before `end`, and lacks the rest.
constexpr Traits all_before(Trait end) {
    Traits traits;
    for (uint8_t i = 1; i < static_cast<uint8_t>(Trait::count); ++i) {
        traits.set(static_cast<Trait>(i), i < static_cast<uint8_t>(end));
    }
    return traits;
}

// Of Debian 12's iproute2 6.1.0-3.
constexpr Traits iproute2_6_1() {
    return all_before(first_after_6_1);
}

// Of Debian 13's iproute2 6.15.0-1.
constexpr Traits iproute2_6_15() {
    return all_before(first_after_6_15);
}

// Of Debian 11's iproute2 5.10.0-4, which calls itself 5.9.0.
constexpr Traits iproute2_5_10() {
    return all_before(Trait::always);
}

}  // namespace nlsh
