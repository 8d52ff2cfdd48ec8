// The escapes of echo: always for dash, with -e for bash and coreutils. Pure.
#pragma once

#include <string>
#include <string_view>

#include "parser/shell/tree.h"

namespace nlsh {

struct Unescaped {
    std::string text;
    bool last = false;  // \c: print no more
    bool known = true;  // false: the character depends on the locale, which we don't know
};

Unescaped unescape(std::string_view word, const Builtin& echo);

}  // namespace nlsh
