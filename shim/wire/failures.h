// The commands that failed, inside a reply's text (NLSH_WANT_FAILURES).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/shell/evaluate.h"

namespace nlsh {

// Encodes the first failures, as many as fit NLSH_FAILURES_MAX bytes; cuts long texts.
std::string encode_failures(const std::vector<Failure>& failures);

// Reads the text of encode_failures. If the text is broken, returns the failures before the break.
std::vector<Failure> decode_failures(std::string_view text);

}  // namespace nlsh
