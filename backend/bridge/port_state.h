// Names of the STP states of a port.
#pragma once

#include <cstdint>
#include <string>

namespace nlsh {

// "forwarding"; "(N)" for a number without a name.
std::string port_state_name(uint8_t state);

}  // namespace nlsh
