// The flags of neighbours: their words in a change, and their printed forms.
#pragma once

#include <linux/neighbour.h>

#include <cstdint>
#include <string_view>

#include "parser/ip/newer_kernel.h"
#include "parser/ip/traits/traits.h"

namespace nlsh {

// NTF_EXT_* above NTF_*.
inline constexpr uint32_t extended_neighbor_flag = 8;
inline constexpr uint32_t valid_neighbor = newer::neighbor_externally_valid
                                           << extended_neighbor_flag;

struct NeighborFlag {
    std::string_view word;
    uint32_t bit;               // NTF_*, or NTF_EXT_* << extended_neighbor_flag
    bool read = true;           // a change takes the word
    bool exact = true;          // else any non-empty prefix will do
    bool clears_state = false;  // the kernel finds the state, unless a later word gives one
    std::string_view older =
        {};  // the form in builds with blanks before words; empty: never printed
    Trait since = Trait::always;  // for a change
    Trait until = Trait::never;

    bool shown = true;
};

// In the order of printing.
inline constexpr NeighborFlag neighbor_flags[] = {
    {.word = "router", .bit = NTF_ROUTER, .older = " router"},
    {.word = "proxy", .bit = NTF_PROXY, .read = false, .older = " proxy"},  // an address follows
    {.word = "managed",
     .bit = NTF_EXT_MANAGED << extended_neighbor_flag,
     .clears_state = true,
     .since = Trait::words_of_6_1},
    {.word = "extern_learn", .bit = NTF_EXT_LEARNED, .exact = false, .older = " extern_learn "},
    {.word = "extern_valid", .bit = valid_neighbor, .since = Trait::neighbor_extern_valid},
    {.word = "offload", .bit = NTF_OFFLOADED, .read = false, .older = " offload"},
    {.word = "use", .bit = NTF_USE, .since = Trait::words_of_6_1, .shown = false},
};

}  // namespace nlsh
