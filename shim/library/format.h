// nlsh_runf's formats.
#pragma once

#include <cstdarg>
#include <optional>
#include <string>

namespace nlsh {

// Knows %s (a word, which is quoted), %d, %u, %ld, %lu and %%. Returns nothing when the format has
// something else, or a %s is NULL.
std::optional<std::string> format_line(const char* format, va_list values);

}  // namespace nlsh
