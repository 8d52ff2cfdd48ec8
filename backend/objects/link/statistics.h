// The counters of a link, `ip -s` and `ip -s -s`.
#pragma once

#include <linux/if_link.h>

#include "backend/objects/link/render.h"

namespace nlsh {

// Text without the last newline; nothing when the link has no counters.
// False: it holds counters that we don't print exactly.
bool print_link_statistics(Printer& printer, const LinkAttributes& attributes);

// Only the 64-bit counters, as in `ip stats`: errors with -d.
void print_link_counters(Printer& printer, const rtnl_link_stats64& counters);

}  // namespace nlsh
