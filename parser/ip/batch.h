// The lines of `ip -batch` and `bridge -batch`, and how a line affects later lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/decline.h"
#include "parser/ip/traits/traits.h"
#include "parser/ip/verb.h"

namespace nlsh {

struct BatchLine {
    std::vector<std::string> words;  // none: a blank line or a comment
    size_t size = 0;                 // bytes of the text, with the newline
    size_t lines = 0;                // lines of the file: more than one when it is continued
};

// The first line of `text`; nullopt: the line is incomplete. whole: no more text follows. Declines
// a line that iproute2 refuses to split into words.
Parsed<std::optional<BatchLine>> read_batch_line(std::string_view text, bool whole);

// Whether a line takes a link's name away. Later lines of `ip -batch` still use this name for the
// same link, because iproute2 caches it.
bool takes_name_away(const BatchMemory& memory, const BatchLine& line);

// How many bytes of an `ip -batch` can run line by line. Lines after that depend on what iproute2
// remembers: whether links were shown, and the ifindexes of names.
size_t independent_part(std::string_view text, Traits traits);

}  // namespace nlsh
