// Why nlsh leaves a command line to the real shell and the real iproute2.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace nlsh {

// A reason in a few words, for `nlsh explain` and NLSH_TRACE; never shown to the caller of popen.
struct Decline {
    std::string reason;
};

template <typename T>
using Parsed = std::expected<T, Decline>;

inline std::unexpected<Decline> declined(std::string reason) {
    return std::unexpected(Decline{std::move(reason)});
}

}  // namespace nlsh
