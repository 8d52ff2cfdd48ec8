#include "backend/net/attributes.h"

#include <algorithm>

namespace nlsh {

std::string_view Attribute::string() const {
    const Bytes data = bytes();
    const auto end = std::ranges::find(data, uint8_t{0});
    return {reinterpret_cast<const char*>(data.data()), static_cast<size_t>(end - data.begin())};
}

}  // namespace nlsh
