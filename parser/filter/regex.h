// Which regular expressions libc's regcomp reads exactly as GNU grep, GNU sed and mawk do.
#pragma once

#include <string_view>

#include "parser/filter/filter.h"

namespace nlsh {

enum class RegexUser : uint8_t { grep, sed, awk };

// Returns the pattern. Declines patterns that a program reads differently from regcomp, or whose
// meaning depends on the caller's locale.
Parsed<Pattern> vet_regex(std::string_view text, bool extended, bool ignore_case, RegexUser user);

}  // namespace nlsh
