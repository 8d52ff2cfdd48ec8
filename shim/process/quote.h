// Quotes words for a shell.
#pragma once

#include <string>
#include <string_view>

namespace nlsh {

// Returns the word itself if a shell wouldn't change it, otherwise in single quotes.
std::string shell_quoted(std::string_view word);

}  // namespace nlsh
