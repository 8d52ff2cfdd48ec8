// Formats lines for nlsh_runf().
#pragma once

#include <cstdarg>
#include <optional>
#include <string>

namespace nlsh {

// Formats %s (a word, quoted as needed), %d, %u, %ld, %lu and %%. nullopt: another conversion, or
// NULL for %s.
std::optional<std::string> format_line(const char* format, va_list values);

}  // namespace nlsh
