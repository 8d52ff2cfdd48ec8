// Documents of JSON: their fields stand in the order in which they were made.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace nlsh {

using Json = nlohmann::ordered_json;

// Bytes that aren't UTF-8 become U+FFFD. Without an indent it is one line; there is no newline at
// the end.
std::string json_text(const Json& document, int indent = -1);

// A string that is one of JSON, in ASCII alone.
std::string json_string(std::string_view text);

// Discarded (is_discarded()): the text is none.
Json parse_json(std::string_view text);

}  // namespace nlsh
