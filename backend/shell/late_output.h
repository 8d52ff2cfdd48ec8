// Output that a program may write after its first change. By then it can't fall back, and a slow
// reader may block it.
#pragma once

#include <cstddef>

#include "parser/shell/tree.h"

namespace nlsh {

struct LateOutput {
    bool shows = false;  // a command's output is unbounded
    size_t texts = 0;    // at most this many bytes of other output: errors, echo and printf
};
// line: bytes of the program's text.
LateOutput late_output(const Program& program, size_t line);

}  // namespace nlsh
