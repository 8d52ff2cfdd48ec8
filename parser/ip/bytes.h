// A value's bytes, as an attribute's payload.
#pragma once

#include <algorithm>
#include <string>

namespace nlsh {

template <typename T>
std::string bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

// True also for no bytes.
constexpr bool all_zero(const auto& bytes) {
    return std::ranges::all_of(bytes, [](auto byte) { return byte == 0; });
}

}  // namespace nlsh
