// A value's bytes, as an attribute's payload.
#pragma once

#include <string>

namespace nlsh {

template <typename T>
std::string bytes_of(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace nlsh
