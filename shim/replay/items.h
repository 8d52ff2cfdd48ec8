// Walks through the items of a tape or of packed recordings (tape.h).
#pragma once

#include <cstddef>
#include <string_view>

#include "shim/replay/tape.h"

namespace nlsh {

inline std::string_view content(const item& item) {
    return {reinterpret_cast<const char*>(item.bytes), item.size};
}

// Calls visit for each whole item. Returns where the last one ends: the text's size, unless one is
// cut off.
template <typename Visit>
size_t each_item(std::string_view text, const Visit& visit) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
    item each{};
    size_t place = 0;
    while (next_item(bytes, text.size(), &place, &each) != 0)
        visit(each);
    return place;
}

}  // namespace nlsh
