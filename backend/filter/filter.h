// Runs a filter over a whole text.
#pragma once

#include <string_view>

#include "backend/output.h"
#include "parser/filter/filter.h"

namespace nlsh {

// Whether the text means the same in every locale: ASCII without control characters, except tab and
// newline.
bool is_plain_text(std::string_view text);

// In place of an exit status: a pattern took too many steps, so the result is unknown.
inline constexpr int gave_up = -1;

// Returns the exit status. Writes nothing to stderr.
int run_filter(const Filter& filter, std::string_view input, Output& out);

int run_filter(const Grep& grep, std::string_view input, Output& out);
int run_filter(const Sed& sed, std::string_view input, Output& out);
int run_filter(const Tr& tr, std::string_view input, Output& out);
int run_filter(const Awk& awk, std::string_view input, Output& out);
int run_filter(const Cut& cut, std::string_view input, Output& out);
int run_filter(const Head& head, std::string_view input, Output& out);
int run_filter(const Tail& tail, std::string_view input, Output& out);
int run_filter(const Wc& wc, std::string_view input, Output& out);
int run_filter(const Sort& sort, std::string_view input, Output& out);
int run_filter(const Uniq& uniq, std::string_view input, Output& out);
int run_filter(const Cat& cat, std::string_view input, Output& out);

}  // namespace nlsh
