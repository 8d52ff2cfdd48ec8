// Quotes words for a shell.
#pragma once

#include <string>
#include <string_view>

#include "parser/text.h"

namespace nlsh {

// Returns the word itself if a shell wouldn't change it, otherwise in single quotes.
inline std::string shell_quoted(std::string_view word) {
    if (is_plain_word(word)) return std::string(word);
    std::string quoted = "'";
    for (const char c : word) {
        if (c == '\'') {
            quoted += "'\\''";
        } else {
            quoted += c;
        }
    }
    return quoted + '\'';
}

}  // namespace nlsh
