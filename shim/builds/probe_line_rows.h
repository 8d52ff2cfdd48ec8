// What nlsh and a build of iproute2 both run, to find out which objects are as known.
#pragma once

#include <span>
#include <string_view>

#include "parser/ip/options.h"

namespace nlsh {

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
