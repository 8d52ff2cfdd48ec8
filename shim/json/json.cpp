// Only this source reads and writes JSON, because that takes seconds to compile.
#include "shim/json/json.h"

#include <nlohmann/json.hpp>

namespace nlsh {

std::string json_text(const Json& document, int indent) {
    return document.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string json_string(std::string_view text) {
    return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

Json parse_json(std::string_view text) {
    return Json::parse(text, nullptr, false);
}

}  // namespace nlsh
