// One link, asked for by its index, and the master or VRF of a show.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "backend/context.h"
#include "backend/net/channel.h"

namespace nlsh {

// RTM_GETLINK; `extensions` is IFLA_EXT_MASK (RTEXT_FILTER_*). Calls receive with the answer.
Verdict ask_link(Channel& channel, uint32_t ifindex, uint32_t extensions,
                 const Channel::Receive& receive);

// A VRF's table; 0: the link isn't a VRF.
uint32_t vrf_table(const nlmsghdr& message);

// Resolves `master DEV` and `vrf DEV` of a show. Returns the ifindex, 0 for an empty name; or the
// exit status after printing the error.
std::expected<uint32_t, int> find_master(Context& context, const Options& options, Channel& channel,
                                         const std::string& name, bool must_be_vrf);

}  // namespace nlsh
