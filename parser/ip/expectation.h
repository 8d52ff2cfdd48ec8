// What iproute2 says of a word that is no address or prefix.
#pragma once

#include "parser/decline.h"

namespace nlsh {

// The decline of a bad value with `Error: FAMILY WHAT is expected rather than "WORD".`; `what` is
// "address" or "prefix", `family` the one that was asked for (AF_UNSPEC: any). Others stay as they
// are, without a message.
Decline with_expectation(Decline decline, std::string_view what, std::string_view word,
                         uint8_t family);

}  // namespace nlsh
