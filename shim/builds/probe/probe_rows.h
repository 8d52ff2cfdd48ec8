// What a build of iproute2 is asked, to find out which traits it has: columns of the traits' rows
// (parser/ip/traits/traits.def).
#pragma once

#include <span>
#include <string_view>

#include "parser/ip/options.h"

namespace nlsh {

// One question. The answer is what the command prints, stdout and stderr together, between "^" and
// "status N". Several rows may ask about one trait: when they contradict each other, or one row
// itself, nothing is known.
struct ProbeRow {
    Trait trait = Trait::always;  // whose row in traits.def it stands in
    Tool tool;
    // A line of the shell; `constant`: a text in the program's file.
    std::string_view command;
    std::string_view about = "status ";  // an answer without it says nothing
    // What says so: one of several texts, with tabs between them; empty: that the other isn't
    // there.
    std::string_view yes = {}, no = {};
    bool constant = false;
};

// Batches of ip and bridge that prepare the network namespace in which the questions are asked.
// Links that the kernel can't make are left out.
extern const std::string_view probe_ip_batch, probe_bridge_batch;

std::span<const ProbeRow> probe_rows();

}  // namespace nlsh
