// The lines of `ip -batch` and `bridge -batch`, and what one of them does to later ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/decline.h"
#include "parser/ip/traits.h"
#include "parser/ip/verb.h"

namespace nlsh {

struct BatchLine {
    std::vector<std::string> words;  // none: a blank line or a comment
    size_t size = 0;                 // bytes of the text, with the newline
    size_t lines = 0;                // lines of the file: more than one when it is continued
};

// The line that `text` begins with; nothing when it isn't all there yet (!whole: more may come).
// Declines what the real one refuses to split into words.
Parsed<std::optional<BatchLine>> read_batch_line(std::string_view text, bool whole);

// A line with this memory takes a link's name away. (Of a line of `ip -batch` that comes later the
// real one goes on taking the name for the interface that had it.)
bool takes_name_away(const BatchMemory& memory, const BatchLine& line);

// Bytes of a batch of ip that may be run line by line. From there on (and that may be the very
// beginning) lines depend on what earlier ones have left in the real one's memory: that links are
// shown, and the ifindexes of names that it has looked up or shown.
size_t independent_part(std::string_view text, Traits traits);

}  // namespace nlsh
