// What a build of iproute2 is asked, to find out which traits it has.
#pragma once

#include <span>
#include <string_view>

#include "parser/ip/options.h"

namespace nlsh {

// One question. The answer is what the command prints, stdout and stderr together, between "^" and
// "status N". Several rows may ask about one trait: when they contradict each other, or one row
// itself, nothing is known.
struct ProbeRow {
    Trait trait;
    Tool tool;
    // A line of the shell; `constant`: a text in the program's file.
    std::string_view command;
    std::string_view about = "status ";  // an answer without it says nothing
    std::string_view yes = {}, no = {};  // what says so; empty: that the other one isn't there
    bool constant = false;
};

// What is there before the questions are asked, as batches of ip and bridge, in a network namespace
// of its own. What the kernel doesn't make is left out.
extern const std::string_view probe_ip_batch, probe_bridge_batch;

std::span<const ProbeRow> probe_rows();

// A line that nlsh, with the traits that were found, and the build both run, each from a fresh
// network namespace on. Its first word is the tool.
struct ProbeLine {
    constexpr ProbeLine(const char* text, Trait told_apart = Trait::always)
        : command(text), doubted(told_apart) {}
    std::string_view command;
    // The trait that isn't known after all if this line differs; Trait::always: no single one.
    Trait doubted;
};

// An object that any other line shows to differ is left to the real one, as is one that no line has
// shown to be as known. What is said of objects and options that there aren't must be as known, or
// the program isn't iproute2.
std::span<const ProbeLine> probe_lines();

}  // namespace nlsh
