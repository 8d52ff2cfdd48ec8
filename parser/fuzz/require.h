// The assertions of fuzz targets.
#pragma once

namespace nlsh {

// Ends the run, which libFuzzer reports with the input at fault.
inline void require(bool truth) {
    if (!truth) __builtin_trap();
}

}  // namespace nlsh
