// The words for a link's numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace nlsh {

struct LinkFlag {
    uint32_t bit;
    std::string_view name;
};
// IFF_* in the order of printing, without IFF_RUNNING (its absence prints NO-CARRIER).
std::span<const LinkFlag> link_flags();
// The flags in link_flags(), and IFF_RUNNING.
uint32_t known_link_flags();

// Nothing: iproute2 has no word for the state.
std::optional<std::string_view> operstate_name(uint8_t state);
std::optional<std::string_view> link_type_name(uint16_t type);  // ARPHRD_*: "ether"

}  // namespace nlsh
