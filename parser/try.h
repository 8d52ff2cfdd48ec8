// TRY(expression): the value of a std::expected, or else the calling function returns its error.
#pragma once

#include <expected>
#include <utility>

#define TRY(...)                                                                  \
    ({                                                                            \
        auto try_result_ = (__VA_ARGS__);                                         \
        if (!try_result_) return std::unexpected(std::move(try_result_).error()); \
        *std::move(try_result_);                                                  \
    })
