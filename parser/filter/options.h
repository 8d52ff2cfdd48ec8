// Options of small programs, read as getopt_long does: bundles, values, options after operands.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parser/decline.h"
#include "parser/ip/arguments.h"

namespace nlsh {

struct OptionSpec {
    char letter;
    std::string_view name;  // long form, empty when there is none
    bool has_value = false;
};

struct ScannedOptions {
    struct Option {
        char letter;
        std::string value;
    };
    std::vector<Option> options;  // as written
    std::vector<std::string> operands;
};

// Declines unknown options and abbreviated long ones.
Parsed<ScannedOptions> scan_options(Words arguments, std::span<const OptionSpec> specs);

// Decimal digits only, at most 18 of them.
Parsed<uint64_t> parse_count(std::string_view text);

}  // namespace nlsh
