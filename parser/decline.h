// Why nlsh leaves a command line to the real shell and the real iproute2.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace nlsh {

struct Decline {
    // A few words, for `nlsh explain` and NLSH_TRACE; never shown to the caller of popen.
    std::string reason;
    // What iproute2 would print on stderr, with this status, if it refuses the command. Empty:
    // unknown.
    std::string message = {};
    int status = 0;
    // iproute2 can't read the value, either, so the keyword's message applies.
    bool bad_value = false;
};

template <typename T>
using Parsed = std::expected<T, Decline>;

inline std::unexpected<Decline> declined(std::string reason) {
    return std::unexpected(Decline{std::move(reason)});
}

}  // namespace nlsh
