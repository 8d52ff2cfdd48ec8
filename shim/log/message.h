// nlsh's own messages on stderr and results on stdout. Nothing here throws.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace nlsh {

void say_formatted(fmt::string_view format, fmt::format_args values) noexcept;

// Writes to stderr. A message that can't be written is lost.
template <typename... Values>
void say(fmt::format_string<Values...> format, const Values&... values) noexcept {
    say_formatted(format, fmt::make_format_args(values...));
}

// The same. Returns the exit status.
template <typename... Values>
int fail(int status, fmt::format_string<Values...> format, const Values&... values) noexcept {
    say_formatted(format, fmt::make_format_args(values...));
    return status;
}

// Writes a result to stdout. Returns an exit status: 0, or 1 after a message if the result can't be
// written.
int print(std::string_view text) noexcept;

// Opens stdin, stdout and stderr if they are closed, so that no other file gets their numbers.
// Writing to stdout and stderr still fails, and an exec closes them again.
void reserve_standard_descriptors() noexcept;

}  // namespace nlsh
