// The escapes that echo reads: dash's always, those of bash and coreutils behind -e. Pure.
#pragma once

#include <string>
#include <string_view>

#include "parser/shell/tree.h"

namespace nlsh {

struct Unescaped {
    std::string text;
    bool last = false;  // \c: nothing more is printed
    bool known = true;  // false: a character that the locale decides on, which we don't know
};

Unescaped unescape(std::string_view word, const Builtin& echo);

}  // namespace nlsh
