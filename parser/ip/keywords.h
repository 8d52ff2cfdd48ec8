// A table of keywords, tried from top to bottom as iproute2 tries them
// (packaging/docs/iproute2-behaviour.md, "Words").
#pragma once

#include <span>
#include <string_view>

#include "parser/ip/arguments.h"
#include "parser/ip/refusal.h"

namespace nlsh {

// `take` reads what follows the keyword into `State`.
template <typename State>
struct Keyword {
    std::string_view word;
    Parsed<void> (*take)(State&, Arguments&);
    bool exact = true;  // else any non-empty prefix will do
    // What iproute2 says of a value that it can't read: `Error: argument "x" is wrong: COMPLAINT`.
    const char* complaint = nullptr;
};

// Takes the next word if it is in the table; false: it isn't, nothing was taken.
template <typename State>
Parsed<bool> take_keyword(std::span<const Keyword<State>> table, State& state,
                          Arguments& arguments) {
    const std::string_view word = arguments.peek();
    for (const Keyword<State>& keyword : table) {
        if (keyword.exact ? word != keyword.word : !matches(word, keyword.word)) continue;
        arguments.take();
        const std::string_view value = arguments.empty() ? "" : arguments.peek();
        if (auto taken = keyword.take(state, arguments); !taken) {
            return std::unexpected(
                with_complaint(std::move(taken.error()), value, keyword.complaint));
        }
        return true;
    }
    return false;
}

// Sets `target` once; a second value is an error of the command line, or is simply left to
// iproute2.
template <typename Target, typename T>
Parsed<void> set_once(Target& target, Parsed<T> value) {
    if (target) return declined("a keyword twice");
    if (!value) return std::unexpected(std::move(value.error()));
    target = std::move(*value);
    return {};
}

}  // namespace nlsh
