#include "backend/bridge/port_state.h"

#include <fmt/format.h>
#include <linux/if_bridge.h>

#include <iterator>

namespace nlsh {

std::string port_state_name(uint8_t state) {
    // By BR_STATE_*.
    static constexpr const char* names[] = {"disabled", "listening", "learning", "forwarding",
                                            "blocking"};
    static_assert(BR_STATE_BLOCKING + 1 == std::size(names));
    return state < std::size(names) ? names[state] : fmt::format("({})", state);
}

}  // namespace nlsh
