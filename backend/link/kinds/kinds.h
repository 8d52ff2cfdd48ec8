// The kinds of links that nlsh knows.
#pragma once

#include "parser/ip/link/kinds.h"

namespace nlsh {

LinkKinds link_kinds();

}  // namespace nlsh
