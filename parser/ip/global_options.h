// The options before the object in a command of ip or bridge.
#pragma once

#include <cstddef>
#include <string>

#include "parser/ip/arguments.h"
#include "parser/ip/options.h"

namespace nlsh {

struct Invocation {
    Options options;
    std::string netns;   // -netns; empty: none
    size_t batch = 0;    // where -batch's file is among the words; 0: none
    bool force = false;  // -force: a batch goes on after a line that failed
    size_t object = 0;   // place of the first word after the options
};

// `words` come after the program's name. Declines options that nlsh doesn't imitate.
Parsed<Invocation> parse_invocation(Tool tool, Words words, Traits traits = iproute2_6_1());

}  // namespace nlsh
