// What a program may print after it has changed something: from then on it can't fall back, and who
// runs it may have to wait for its reader.
#pragma once

#include <cstddef>

#include "parser/shell/tree.h"

namespace nlsh {

struct LateOutput {
    bool shows = false;  // a command prints as much as there is
    size_t texts = 0;    // bytes at most of all else: error messages, what echo and printf say
};
// line: bytes of the program's text.
LateOutput late_output(const Program& program, size_t line);

}  // namespace nlsh
