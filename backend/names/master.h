// Resolves `master DEV` and `vrf DEV` of a show.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "backend/context.h"
#include "parser/ip/options.h"

namespace nlsh {

// Returns the ifindex, 0 for an empty name; or the exit status after printing the error.
std::expected<uint32_t, int> find_master(Context& context, const Options& options, Channel& channel,
                                         const std::string& name, bool must_be_vrf);

}  // namespace nlsh
