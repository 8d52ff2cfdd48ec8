// grep -P: the part of Perl's regular expressions that all backtracking engines match alike.
#pragma once

#include <bitset>
#include <cstdint>
#include <string_view>
#include <vector>

#include "parser/filter/filter.h"

namespace nlsh {

struct PerlNode {
    enum class Kind : uint8_t { bytes, start, end, boundary, no_boundary, group, look, keep };
    Kind kind = Kind::bytes;
    std::bitset<256> bytes;
    std::vector<std::vector<PerlNode>> alternatives;  // group, look
    bool behind = false, negated = false;             // look; behind has one alternative of bytes
    uint32_t least = 1, most = 1;                     // repetitions
    bool lazy = false;
};

struct PerlPattern {
    std::vector<std::vector<PerlNode>> alternatives;
};

inline constexpr uint32_t perl_unbounded = UINT32_MAX;

Parsed<Pattern> parse_perl(std::string_view text, bool ignore_case);
bool is_perl(const Filter& filter);

}  // namespace nlsh
