// ip token (ip-token(8)): requests. Interface identifiers for IPv6 autoconfiguration.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace nlsh {

// ip token set; delete sets `::`.
struct TokenSet {
    std::array<uint8_t, 16> token{};
    std::string device;
};

// ip token list, get.
struct TokenShow {
    std::string device;  // empty: all
};

}  // namespace nlsh
