// The device that `master DEV` or `vrf DEV` of a show means.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "backend/context.h"
#include "parser/ip/options.h"

namespace nlsh {

// Its ifindex, 0 for no name. When there is none: the error is printed, the exit status is given.
std::expected<uint32_t, int> find_master(Context& context, const Options& options, Channel& channel,
                                         const std::string& name, bool must_be_vrf);

}  // namespace nlsh
