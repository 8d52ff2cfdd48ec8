// The attributes of a bridge's port, which four know: `ip link set type bridge_slave`,
// `ip -d link show`, `bridge link set` and `bridge -d link show`.
#pragma once

#include "backend/objects/link/words/row.h"

namespace nlsh {

// The types of bridge(8)'s values.
enum class PortValue : uint8_t {
    none,  // bridge doesn't know the attribute
    on_off,
    state,
    priority,
    cost,
    router,
    number,         // of 32 bits
    number_if_set,  // the same; 0 isn't shown
    device,
    no_device,  // the word takes the device away; it has no value
};

struct BridgePortRow {
    LinkRow link;                       // to ip(8), and the word for both
    PortValue value = PortValue::none;  // to bridge(8)
    // The attribute before it in `bridge link show`, if that isn't the row before.
    uint16_t after = 0;
    Trait since = Trait::always;  // for bridge(8), beside the link's own

    // Whether bridge(8) has it.
    constexpr Traits::Answer counts(const Traits& traits) const {
        const auto own = traits.counts(link.since, link.until);
        return own == Traits::Answer::yes ? traits.counts(since, Trait::never) : own;
    }
};

}  // namespace nlsh
