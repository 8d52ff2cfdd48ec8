// nlsh_runf's formats.
#pragma once

#include <cstdarg>
#include <optional>
#include <string>

namespace nlsh {

// %s: a word, quoted; %d %u %ld %lu %%. Nothing: the format asks for something else, or a %s is
// NULL.
std::optional<std::string> format_line(const char* format, va_list values);

}  // namespace nlsh
