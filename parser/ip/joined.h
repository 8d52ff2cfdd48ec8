// Tables of several parts.
#pragma once

#include <array>
#include <cstddef>

namespace nlsh {

template <typename T, size_t... Sizes>
constexpr auto joined(const std::array<T, Sizes>&... parts) {
    std::array<T, (Sizes + ...)> all{};
    size_t place = 0;
    const auto append = [&](const auto& part) {
        for (const T& row : part)
            all[place++] = row;
    };
    (append(parts), ...);
    return all;
}

}  // namespace nlsh
