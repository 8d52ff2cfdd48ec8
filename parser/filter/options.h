// Options of small programs, read as getopt_long does: bundles, values, options after operands.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
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

// An option without a value, which sets a member of its filter.
template <typename Filter>
struct SwitchRow {
    char letter;
    bool Filter::* member;
    bool value = true;
};
// Sets the members of all given switches.
template <typename Filter>
void set_switches(Filter& filter, const ScannedOptions& scanned,
                  std::type_identity_t<std::span<const SwitchRow<Filter>>> rows) {
    for (const auto& option : scanned.options)
        for (const auto& row : rows)
            if (row.letter == option.letter) filter.*row.member = row.value;
}

// Declines unknown options and abbreviated long ones.
Parsed<ScannedOptions> scan_options(Words arguments, std::span<const OptionSpec> specs);

// Decimal digits only, at most 18 of them.
Parsed<uint64_t> parse_count(std::string_view text);

}  // namespace nlsh
