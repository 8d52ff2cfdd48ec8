// Numbers that iproute2 reads with get_unsigned.
#pragma once

#include <algorithm>
#include <utility>

#include "parser/ip/refusal.h"

namespace nlsh {

// A declined number of at most 32 bits; a negative one is a bad value where iproute2 reads it into
// an unsigned long, though it isn't where it reads an int.
inline Decline without_sign(Decline decline, std::string_view word) {
    const bool negative = word.size() > 1 && word.starts_with('-') &&
                          word.find_first_not_of("0123456789", 1) == word.npos &&
                          word.find_first_not_of('0', 1) != word.npos;
    // Only the largest would wrap into the range.
    if (negative && word.size() < 10) decline.bad_value = true;
    return decline;
}

}  // namespace nlsh
