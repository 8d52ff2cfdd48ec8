// Tables of keywords, each with the function that takes its value.
#pragma once

#include <span>
#include <string_view>

#include "parser/ip/arguments.h"

namespace nlsh {

// One word of a command's grammar. Target collects the values.
template <typename Target>
struct RouteKeyword {
    std::string_view word;
    bool prefix;  // may be abbreviated
    Parsed<void> (*take)(Target&, Arguments&);
};

// An exact word wins; of several abbreviated ones the first in the table. Null: no keyword.
template <typename Target, size_t Size>
const RouteKeyword<Target>* find_keyword(const RouteKeyword<Target> (&table)[Size], std::string_view word) {
    for (const RouteKeyword<Target>& keyword : table) {
        if (keyword.word == word) return &keyword;
    }
    for (const RouteKeyword<Target>& keyword : table) {
        if (keyword.prefix && matches(word, keyword.word)) return &keyword;
    }
    return nullptr;
}

}  // namespace nlsh
