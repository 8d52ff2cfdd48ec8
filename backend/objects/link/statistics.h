// The counters of a link, `ip -s` and `ip -s -s`.
#pragma once

#include <linux/if_link.h>

#include "backend/objects/link/render.h"

namespace nlsh {

// Prints text without the last newline; nothing if the link has no counters. False: nlsh can't
// print some counter exactly.
bool print_link_statistics(Printer& printer, const LinkAttributes& attributes);

// Prints only the 64-bit counters, as in `ip stats`; with -d, errors, too.
void print_link_counters(Printer& printer, const rtnl_link_stats64& counters);

}  // namespace nlsh
