// JSON documents whose fields keep their order.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace nlsh {

using Json = nlohmann::ordered_json;

// Bytes that aren't UTF-8 become U+FFFD. Without an indent the text is one line; it has no newline
// at the end.
std::string json_text(const Json& document, int indent = -1);

// A JSON string, in ASCII only.
std::string json_string(std::string_view text);

// Discarded (is_discarded()) if the text isn't JSON.
Json parse_json(std::string_view text);

}  // namespace nlsh
