// Tables of words, tried from top to bottom as iproute2 tries them.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "parser/ip/arguments.h"
#include "parser/ip/refusal.h"
#include "parser/ip/traits/trait_names.h"
#include "parser/try.h"

namespace nlsh {

// Whether one of the row's words fits: its `word`, and those that it has `also`; or its `words`.
template <typename Row, typename Fits>
bool any_word(const Row& row, Fits fits) {
    if constexpr (requires { row.words; }) return std::ranges::any_of(row.words, fits);
    if constexpr (requires { row.word; })
        if (fits(row.word)) return true;
    if constexpr (requires { row.also; }) {
        for (const auto& each : row.also) {
            if (each.empty()) break;
            if (fits(each)) return true;
        }
    }
    return false;
}

// Whether a row matches this word, which may be abbreviated unless the row is `exact`.
template <typename Row>
bool takes_word(const Row& row, std::string_view word) {
    return any_word(row, [&](std::string_view known) {
        if (known.empty()) return false;
        if constexpr (requires { row.exact; }) {
            if (row.exact) return word == known;
        }
        return matches(word, known);
    });
}

// The first row for `word` among those that this build has; null: none. Declines if nlsh doesn't
// know whether this build has the row. Rows may be pointers to rows.
template <typename Rows>
auto find_row(const Rows& rows, Traits traits, std::string_view word) {
    using Row = std::remove_cvref_t<decltype(*std::begin(rows))>;
    using Found = const std::remove_pointer_t<Row>*;
    for (const auto& each : rows) {
        Found row;
        if constexpr (std::is_pointer_v<Row>) {
            row = each;
        } else {
            row = &each;
        }
        if (!takes_word(*row, word)) continue;
        switch (traits.counts(row->since, row->until)) {
            case Traits::Answer::yes:
                return Parsed<Found>(row);
            case Traits::Answer::unknown:
                return Parsed<Found>(declined(unknown_trait(traits, row->since, row->until)));
            case Traits::Answer::no:
                break;
        }
    }
    return Parsed<Found>(nullptr);
}

// `take` reads what follows the keyword into `State`.
template <typename State>
struct Keyword {
    std::string_view word;
    std::array<std::string_view, 3> also = {};  // other words for the same
    Parsed<void> (*take)(State&, Arguments&);
    bool exact = true;  // false: the word can be abbreviated
    // iproute2's complaint about an unreadable value: `Error: argument "x" is wrong: COMPLAINT`.
    const char* complaint = nullptr;
    Trait since = Trait::always;
    Trait until = Trait::never;
};

// Takes the next word if it is in the table; false: it isn't, nothing was taken.
template <typename State>
Parsed<bool> take_keyword(std::span<const Keyword<State>> table, State& state,
                          Arguments& arguments) {
    const Keyword<State>* keyword = TRY(find_row(table, arguments.traits(), arguments.peek()));
    if (keyword == nullptr) return false;
    arguments.take();
    const std::string_view value = arguments.empty() ? "" : arguments.peek();
    if (auto taken = keyword->take(state, arguments); !taken) {
        return std::unexpected(with_complaint(std::move(taken.error()), value, keyword->complaint));
    }
    return true;
}

template <typename T>
bool is_set(const T& place) {
    if constexpr (requires { place.has_value(); }) {
        return place.has_value();
    } else {
        return place != T{};
    }
}

// Takes a value that may be given once. A second one falls back, because iproute2's answers vary.
template <typename T, typename Value>
Parsed<void> set_once(T& place, Parsed<Value> value) {
    if (is_set(place)) return declined("a keyword twice");
    place = TRY(std::move(value));
    return {};
}
// The same for a keyword's value; see Keyword for `complaint`.
template <typename T, typename Parse>
Parsed<void> take_once(Arguments& arguments, std::string_view keyword, T& place, Parse parse,
                       const char* complaint = nullptr) {
    if (is_set(place)) return declined(std::string(keyword) + " twice");
    const std::string_view word = TRY(arguments.value(keyword));
    auto value = parse(word);
    if (!value) return std::unexpected(with_complaint(std::move(value.error()), word, complaint));
    place = *std::move(value);
    return {};
}
// The same; a second one is refused by name.
template <typename T, typename Parse>
Parsed<void> take_single(Arguments& arguments, std::string_view keyword, T& place, Parse parse) {
    if (!is_set(place)) return take_once(arguments, keyword, place, parse);
    return duplicate(keyword, TRY(arguments.value(keyword)));
}
// The same; the last one counts. For values that iproute2 looks up only after all words.
template <typename T, typename Parse>
Parsed<void> take_last(Arguments& arguments, std::string_view keyword, T& place, Parse parse,
                       const char* complaint = nullptr) {
    T value{};
    TRY(take_once(arguments, keyword, value, parse, complaint));
    place = std::move(value);
    return {};
}

// For rows: puts the keyword's value into a field of the state.
template <auto Field, auto Parse, typename State>
Parsed<void> once(State& state, Arguments& arguments) {
    return take_once(arguments, "a keyword", state.*Field, Parse);
}
template <auto Field, auto Parse, typename State>
Parsed<void> last(State& state, Arguments& arguments) {
    return take_last(arguments, "a keyword", state.*Field, Parse);
}
// A keyword without a value.
template <auto Field, auto Value, typename State>
Parsed<void> set(State& state, Arguments&) {
    state.*Field = Value;
    return {};
}
template <auto Field, auto Bits, typename State>
Parsed<void> add_bits(State& state, Arguments&) {
    using T = std::remove_reference_t<decltype(state.*Field)>;
    state.*Field = static_cast<T>(state.*Field | Bits);
    return {};
}

// Values for rows: any number of 32 bits, and any text.
inline Parsed<uint32_t> parse_number(std::string_view word) {
    return parse_u32(word);
}
inline Parsed<std::string> keep_text(std::string_view word) {
    return std::string(word);
}

// Skips an unknown word, as iproute2 does here, even `help`.
template <typename State>
Parsed<void> skip_any(State&, Arguments& arguments) {
    arguments.take();
    return {};
}

// The same, except abbreviations of `help`.
template <typename State>
Parsed<void> skip_word(State&, Arguments& arguments) {
    if (matches(arguments.take(), "help")) return declined("verb help");
    return {};
}

// Takes all words; `other` takes one that isn't in the table.
template <typename State>
Parsed<void> take_words(std::type_identity_t<std::span<const Keyword<State>>> table, State& state,
                        Arguments& arguments,
                        std::type_identity_t<Parsed<void> (*)(State&, Arguments&)> other) {
    while (!arguments.empty()) {
        if (!TRY(take_keyword(table, state, arguments))) TRY(other(state, arguments));
    }
    return {};
}

}  // namespace nlsh
