// Matching addresses with prefixes.
#pragma once

#include "backend/net/attributes.h"
#include "parser/ip/arguments.h"

namespace nlsh {

// Whether the address lies in the prefix. Addresses of another size don't.
bool prefix_contains(const InetPrefix& prefix, Bytes address);

}  // namespace nlsh
