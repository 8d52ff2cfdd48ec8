// TRY(expression): the value of a std::expected; on an error, the calling function returns it.
#pragma once

#include <expected>
#include <utility>

#define TRY(...)                                                                  \
    ({                                                                            \
        auto try_result_ = (__VA_ARGS__);                                         \
        if (!try_result_) return std::unexpected(std::move(try_result_).error()); \
        *std::move(try_result_);                                                  \
    })
