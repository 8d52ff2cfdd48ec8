// What differs between builds of iproute2. A trait is one named difference, a profile is what is
// known of one build. Nothing else in the parser and the backend may depend on which iproute2 is
// installed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nlsh {

// Named for the newer behaviour: 6.1.0 lacks what came after it.
enum class Trait : uint8_t {
    always,  // what every build has: with it a row begins that names no other
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
    count,
    never = count,  // what no build has: with it a row ends that names no other
};

// A value; copies are cheap. Not known is not the same as lacking: what depends on a trait that
// isn't known is left to the real binary.
class Traits {
  public:
    enum class Answer : uint8_t { no, yes, unknown };

    constexpr Traits() { set(Trait::always, true); }
    constexpr void set(Trait trait, bool on) {
        known_ |= bit(trait);
        on_ = on ? on_ | bit(trait) : on_ & ~bit(trait);
    }
    constexpr void forget(Trait trait) { known_ &= ~bit(trait); }
    constexpr Answer operator[](Trait trait) const {
        if ((known_ & bit(trait)) == 0) return Answer::unknown;
        return (on_ & bit(trait)) != 0 ? Answer::yes : Answer::no;
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
    bool operator==(const Traits&) const = default;

  private:
    static constexpr uint64_t bit(Trait trait) {
        return uint64_t{1} << static_cast<unsigned>(trait);
    }
    static_assert(static_cast<size_t>(Trait::count) <= 64);

    uint64_t known_ = 0;
    uint64_t on_ = 0;
};

// Of Debian 12's iproute2 6.1.0-3.
constexpr Traits iproute2_6_1() {
    Traits traits;
    for (uint8_t i = 1; i < static_cast<uint8_t>(Trait::count); ++i) {
        traits.set(static_cast<Trait>(i), false);
    }
    return traits;
}

}  // namespace nlsh
