// The numbers of a VXLAN entry: their words in a change and in a flush, and their printed forms.
#pragma once

#include <cstdint>
#include <string_view>

#include "parser/ip/newer_kernel.h"
#include "parser/ip/traits/traits.h"

namespace nlsh {

struct MdbNumber {
    std::string_view word;  // spelt in full
    std::string_view what;  // bridge's name for it in a complaint
    uint16_t sent;          // MDBE_ATTR_*
    uint16_t told;          // MDBA_MDB_EATTR_*
    uint8_t size;           // bytes that are sent
    bool exact = true;
    Trait since = Trait::mdb_of_vxlan;
    Trait until = Trait::never;
};

// Read, sent and printed in this order.
inline constexpr MdbNumber mdb_numbers[] = {
    {.word = "dst_port",
     .what = "destination port",
     .sent = newer::MDBE_ATTR_DST_PORT,
     .told = newer::MDBA_MDB_EATTR_DST_PORT,
     .size = 2},
    {.word = "vni",
     .what = "destination VNI",
     .sent = newer::MDBE_ATTR_VNI,
     .told = newer::MDBA_MDB_EATTR_VNI,
     .size = 4},
    {.word = "src_vni",
     .what = "source VNI",
     .sent = newer::MDBE_ATTR_SRC_VNI,
     .told = newer::MDBA_MDB_EATTR_SRC_VNI,
     .size = 4},
};

}  // namespace nlsh
