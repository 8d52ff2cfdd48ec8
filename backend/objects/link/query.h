// Asks the kernel for links: for one by name or index, or for a dump with a filter.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

#include "backend/context.h"
#include "backend/net/attributes.h"
#include "backend/objects/link/words/show.h"
#include "parser/ip/options.h"

namespace nlsh {

// One link by its name (or short altname) or index. `statistics`: with IFLA_STATS64.
std::expected<KeptMessage, Verdict> get_link(Channel& channel, std::string_view name,
                                             bool statistics = false);
std::expected<KeptMessage, Verdict> get_link(Channel& channel, uint32_t ifindex,
                                             bool statistics = false);

// Looks up a show's device as iproute2 does: by netlink, then by SIOCGIFINDEX, which makes the
// kernel load the device's module (`netdev-tunl0`). If the device is missing, prints the error and
// returns the exit status. Without an answer, the line falls back with the reason `no_answer`.
std::expected<KeptMessage, int> find_link(Context& context, const Options& options,
                                          Channel& channel, std::string_view name,
                                          std::string_view no_answer);

// Filters that iproute2 applies itself, even if the kernel has applied them.
struct LinkFilter {
    bool up = false;
    bool down = false;
    bool no_functions = false;  // don't ask the kernel for virtual functions
    std::optional<uint32_t> group;
    uint32_t master = 0;    // an ifindex; 0: any
    bool nomaster = false;  // only the kernel filters by it
    std::string_view kind;
    std::string_view slave_kind;

    bool passes(const nlmsghdr& message) const;
    // Whether the link is in another group. Newer builds check this before they print anything.
    bool is_of_another_group(const nlmsghdr& message) const;
};

// Looks up master and VRF. If one is missing, prints the error and returns the exit status.
std::expected<LinkFilter, int> resolve_filter(Context& context, const Options& options,
                                              Channel& channel, const LinkSelection& selection);

// RTM_GETLINK for a dump, with the filters that the kernel has.
Message link_dump_request(const LinkFilter& filter, bool statistics);

}  // namespace nlsh
