// The verbs of `ip nexthop` that have files of their own.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "backend/objects/nexthop/words/nexthop.h"
#include "parser/ip/command.h"
#include "parser/ip/keywords.h"

namespace nlsh {

// The words after add or replace.
template <ChangeVerb Which>
Parsed<Request> parse_nexthop_as(ParseContext& context, Arguments arguments);

// The text for a missing device.
inline constexpr const char* missing_nexthop_device =
    "Error: argument \"{}\" is wrong: Device does not exist\n\n";

// Refuses a word that isn't in the table. Abbreviations and "help" fall back.
template <typename Draft>
std::unexpected<Decline> unknown_nexthop_word(std::string_view word,
                                              std::span<const Keyword<Draft>> table) {
    const bool abbreviation = std::ranges::any_of(
        table, [&](const auto& keyword) { return matches(word, keyword.word); });
    if (abbreviation || matches(word, "help")) return declined("nexthop: word");
    return refused(fmt::format("Error: argument \"{}\" is wrong: \n", word));
}

// The number after a keyword.
Parsed<void> take_nexthop_number(std::optional<uint32_t>& number, Arguments& arguments);

}  // namespace nlsh
