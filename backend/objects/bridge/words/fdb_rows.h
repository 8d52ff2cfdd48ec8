// The properties of a forwarding database's entry: their words in a change and in a flush, and
// their printed forms.
#pragma once

#include <linux/neighbour.h>

#include "parser/ip/field.h"

namespace nlsh {

inline constexpr uint32_t max_fdb_vni = (1 << 24) - 1;
inline Parsed<uint32_t> parse_fdb_vni(std::string_view word) {
    return parse_u32(word, max_fdb_vni);
}

// Sent and printed in this order. By number; names of /etc/services are left to the real one.
inline constexpr FieldRow fdb_fields[] = {
    {.word = "port", .attribute = NDA_PORT, .form = FieldForm::big_u16, .zero_is_none = true},
    {.word = "vni",
     .attribute = NDA_VNI,
     .form = FieldForm::u32,
     .largest = max_fdb_vni,
     .complaint = "invalid VNI\n"},
    {.word = "src_vni",
     .attribute = NDA_SRC_VNI,
     .form = FieldForm::u32,
     .largest = max_fdb_vni,
     .complaint = "invalid src VNI\n"},
};

struct FdbFlag {
    std::string_view word;
    uint8_t bit;                    // NTF_*
    std::string_view flushed = {};  // a flush's word; empty: there is none
    Trait flushed_since = Trait::always;
    bool read = true;    // a change takes the word
    bool exact = false;  // false: the word can be abbreviated
    bool shown = true;
    Trait since = Trait::always;  // for a change
    Trait until = Trait::never;
};

// In the order of printing.
inline constexpr FdbFlag fdb_flags[] = {
    {.word = "self", .bit = NTF_SELF, .exact = true},
    {.word = "router",
     .bit = NTF_ROUTER,
     .flushed = "router",
     .flushed_since = Trait::fdb_flush_reads_all},
    {.word = "extern_learn", .bit = NTF_EXT_LEARNED, .flushed = "extern_learn"},
    {.word = "offload", .bit = NTF_OFFLOADED, .flushed = "offloaded", .read = false},
    {.word = "master", .bit = NTF_MASTER},
    {.word = "sticky", .bit = NTF_STICKY, .flushed = "sticky"},
    {.word = "use", .bit = NTF_USE, .flushed = "added_by_user", .shown = false},
};

}  // namespace nlsh
