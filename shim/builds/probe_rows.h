// The questions to a build of iproute2 that reveal its traits.
#pragma once

#include <span>
#include <string_view>

#include "parser/ip/options.h"

namespace nlsh {

// One question. The answer is the command's stdout and stderr together, between "^" and "status N".
// Several rows may ask for one trait: if they contradict each other, the trait is unknown.
struct ProbeRow {
    Trait trait;
    Tool tool;
    // A line of the shell; `constant`: a text in the program's file.
    std::string_view command;
    std::string_view about = "status ";  // an answer without it says nothing
    std::string_view yes = {},
                     no = {};  // texts of a yes and of a no; empty: the other one is missing
    bool constant = false;
};

// The set-up before the questions, as batches of ip and bridge, in a network namespace of its own.
// Parts that the kernel can't make are missing.
extern const std::string_view probe_ip_batch, probe_bridge_batch;

std::span<const ProbeRow> probe_rows();

}  // namespace nlsh
