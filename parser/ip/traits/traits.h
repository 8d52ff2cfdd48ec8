// Differences between builds of iproute2: a trait is one named difference, a profile holds a
// build's known traits. Nothing else in the parser and the backend may depend on the installed
// iproute2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parser/ip/traits/proof.h"

namespace nlsh {

enum class Trait : uint8_t {
    always,  // every build has it; .since of rows without another trait
#define NLSH_TRAIT(NAME, SINCE, ...) NAME,
#include "parser/ip/traits/traits.def"
#undef NLSH_TRAIT
    count,
    never = count,  // no build has it; .until of rows without another trait
};

// Releases of iproute2 that brought traits; `none`: a distribution's patch did.
enum class Release : uint8_t {
    v5_10,
    v5_11,
    v5_14,
    v5_15,
    v5_16,
    v5_17,
    v5_18,
    v5_19,
    v6_1,
    v6_2,
    v6_3,
    v6_4,
    v6_5,
    v6_7,
    v6_8,
    v6_15,
    v6_17,
    v6_18,
    v7_0,
    v7_1,
    v7_2,
    v7_3,
    none,
};

struct TraitRow {
    Trait trait;
    std::string_view name;
    Release since;
};
inline constexpr TraitRow trait_rows[] = {
    {Trait::always, "always", Release::v5_10},
#define NLSH_TRAIT(NAME, SINCE, ...) {Trait::NAME, #NAME, Release::SINCE},
#include "parser/ip/traits/traits.def"
#undef NLSH_TRAIT
};

// A value; copies are cheap. Unknown is not the same as lacking: what depends on an unknown trait
// falls back.
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
        if (proof_ != nullptr) proof_->asked(trait);
        if (!known_.has(trait)) return Answer::unknown;
        return on_.has(trait) ? Answer::yes : Answer::no;
    }
    constexpr bool has(Trait trait) const { return (*this)[trait] == Answer::yes; }
    constexpr bool lacks(Trait trait) const { return (*this)[trait] == Answer::no; }
    // Whether a build with these traits has a row that came with `since` and left with `until`.
    constexpr Answer counts(Trait since, Trait until) const {
        const Answer begun = (*this)[since];
        const Answer ended = until == Trait::never ? Answer::no : (*this)[until];
        if (begun == Answer::no || ended == Answer::yes) return Answer::no;
        return begun == Answer::yes && ended == Answer::no ? Answer::yes : Answer::unknown;
    }
    // Whether nlsh may print something of which no part can fall back any more.
    constexpr bool all_known() const {
        if (proof_ != nullptr && !proof_->proves_all()) return false;
        for (const TraitRow& row : trait_rows)
            if (!known_.has(row.trait)) return false;
        return true;
    }
    // The proof for an unknown build. Null: not needed.
    constexpr void prove_by(const Proof* proof) { proof_ = proof; }
    constexpr const Proof* proof() const { return proof_; }
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
    const Proof* proof_ = nullptr;
};

// The traits of a release as published, without a distribution's patches.
constexpr Traits traits_of(Release release) {
    Traits traits;
    for (const TraitRow& row : trait_rows)
        traits.set(row.trait, row.since <= release);
    return traits;
}

// Debian 12's iproute2 6.1.0-3.
constexpr Traits iproute2_6_1() {
    return traits_of(Release::v6_1);
}

// Debian 13's iproute2 6.15.0-1.
constexpr Traits iproute2_6_15() {
    return traits_of(Release::v6_15);
}

// Debian sid's iproute2 7.3 of November 2026, which has no build id here.
constexpr Traits iproute2_7_3() {
    return traits_of(Release::v7_3);
}

// Debian 11's iproute2 5.10.0-4, which calls itself 5.9.0.
constexpr Traits iproute2_5_10() {
    return traits_of(Release::v5_10);
}

}  // namespace nlsh
