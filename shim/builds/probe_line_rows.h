// Lines that nlsh and a build of iproute2 both run, to find objects that behave as known.
#pragma once

#include <span>
#include <string_view>

#include "parser/ip/options.h"

namespace nlsh {

// A line that nlsh, with the traits that it found, and the build both run, in one fresh network
// namespace each. Its first word is the tool.
struct ProbeLine {
    constexpr ProbeLine(const char* text, Trait told_apart = Trait::always)
        : command(text), doubted(told_apart) {}
    std::string_view command;
    // The trait that is unknown if this line differs; Trait::always: no single one.
    Trait doubted;
};

// An object falls back if one of its lines differs, or if it has no line. Errors for missing
// objects and options must be as known; otherwise the program isn't iproute2.
std::span<const ProbeLine> probe_lines();

}  // namespace nlsh
