// Parts of texts.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace nlsh {

// What stands behind a path's last slash.
inline std::string_view base_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

// The parts between separators, without empty ones.
inline std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const size_t end = std::min(text.find(separator), text.size());
        if (end > 0) parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

}  // namespace nlsh
