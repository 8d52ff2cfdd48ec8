#include "shim/process/quote.h"

#include "parser/text.h"

namespace nlsh {

std::string shell_quoted(std::string_view word) {
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
