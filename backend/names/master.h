// The master that a show names, as iproute2 finds it.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "backend/context.h"

namespace nlsh {

// The interface that `master DEV` or `vrf DEV` of a show means; 0 for no name. When there is none:
// the error is printed, the exit status is given.
std::expected<uint32_t, int> find_master(Context& context, Channel& channel,
                                         const std::string& name, bool is_vrf);

}  // namespace nlsh
