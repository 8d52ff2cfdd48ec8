#include "backend/net/prefix.h"

#include <algorithm>

namespace nlsh {

bool prefix_contains(const InetPrefix& prefix, Bytes address) {
    if (prefix.size == 0) return true;
    if (address.size() != prefix.size) return false;
    const size_t whole = prefix.bits / 8;
    if (!std::equal(address.begin(), address.begin() + static_cast<ptrdiff_t>(whole),
                    prefix.bytes.begin())) {
        return false;
    }
    const unsigned rest = prefix.bits % 8;
    if (rest == 0) return true;
    const auto mask = static_cast<uint8_t>(0xff00U >> rest);
    return ((address[whole] ^ prefix.bytes[whole]) & mask) == 0;
}

}  // namespace nlsh
