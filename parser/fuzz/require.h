// The assertions of fuzz targets.
#pragma once

namespace nlsh {

// Aborts; libFuzzer then reports the input.
inline void require(bool truth) {
    if (!truth) __builtin_trap();
}

}  // namespace nlsh
