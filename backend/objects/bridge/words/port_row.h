// The attributes of a bridge port, for four commands: `ip link set type bridge_slave`, `ip -d link
// show`, `bridge link set` and `bridge -d link show`.
#pragma once

#include "backend/objects/link/words/row.h"

namespace nlsh {

// The types of bridge(8)'s values.
enum class PortValue : uint8_t {
    none,  // bridge lacks the attribute
    on_off,
    state,
    priority,
    cost,
    router,
    number,         // 32 bits
    number_if_set,  // the same, but 0 isn't shown
    device,
    no_device,  // a word without a value, which removes the device
};

struct BridgePortRow {
    LinkRow link;                       // for ip(8); both tools use its word
    PortValue value = PortValue::none;  // for bridge(8)
    // In `bridge link show` this row follows this attribute. 0: it follows the row above.
    uint16_t after = 0;
    Trait since = Trait::always;  // for bridge(8), in addition to `link.since`

    // Whether bridge(8) has it.
    constexpr Traits::Answer counts(const Traits& traits) const {
        const auto own = traits.counts(link.since, link.until);
        return own == Traits::Answer::yes ? traits.counts(since, Trait::never) : own;
    }
};

}  // namespace nlsh
