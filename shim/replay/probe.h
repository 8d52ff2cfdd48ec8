// What an unknown build of iproute2 is asked for its traits, and what its answers say.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parser/ip/options.h"

namespace nlsh {

// One question: a column of a trait's row (parser/ip/traits/traits.def). The answer is what the
// command prints, stdout and stderr together, between "^" and "status N". Several rows may ask
// about one trait: when they contradict each other, or one row itself, nothing is known.
struct ProbeRow {
    Trait trait = Trait::always;  // whose row in traits.def it stands in
    Tool tool;
    // A recorded line of the shell (compat-tests/replay/probes); `constant`: a text in the
    // program's file.
    std::string_view command;
    std::string_view about = "status ";  // an answer without it says nothing
    // What says so: one of several texts, with tabs between them; empty: that the other isn't
    // there.
    std::string_view yes = {}, no = {};
    bool constant = false;
};

std::span<const ProbeRow> probe_rows();

struct Probed {
    Traits traits;
    std::vector<Trait> undecided;  // among the traits that were asked for
    std::string fdb_usage;         // as in Profile
};

// Concludes from the answers, one for each row.
Probed judge(Tool tool, const std::vector<std::string>& answers);

// Gives each tool what only the other one was asked: both read the same name tables, and write in
// the same way.
void complete(std::array<Probed, 2>& tools);

}  // namespace nlsh
