#include "shim/log/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace nlsh {
namespace {

// The size of the first character; 0: it isn't UTF-8, or controls a terminal.
size_t shown_bytes(std::string_view text) {
    const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned first = byte(0);
    if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
    const size_t size = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first >= 0xf5 || text.size() < size) return 0;
    uint32_t character = first & (0xffU >> (size + 1));
    for (size_t at = 1; at < size; ++at) {
        if ((byte(at) & 0xc0) != 0x80) return 0;
        character = character << 6 | (byte(at) & 0x3fU);
    }
    constexpr uint32_t c1_end = 0xa0, surrogates = 0xd800, surrogates_end = 0xe000;
    const uint32_t least = size == 4 ? 0x10000 : size == 3 ? 0x800 : c1_end;
    const bool valid = character >= least && character <= 0x10ffff &&
                       (character < surrogates || character >= surrogates_end);
    return valid ? size : 0;
}

}  // namespace

std::string printable(std::string_view text) {
    std::string shown;
    while (!text.empty()) {
        const size_t size = shown_bytes(text);
        if (size == 0) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
        shown += text.substr(0, size);
        text.remove_prefix(std::max<size_t>(size, 1));
    }
    return shown;
}

}  // namespace nlsh
