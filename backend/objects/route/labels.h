// Stacks of MPLS labels (RFC 3032) as text.
#pragma once

#include <string>

#include "backend/net/attributes.h"

namespace nlsh {

// LABEL/LABEL/…, the outermost first; empty: the stack is broken.
std::string label_stack(Bytes bytes);

}  // namespace nlsh
