// The kinds of links that nlsh knows.
#pragma once

#include "parser/ip/kinds.h"

namespace nlsh {

LinkKinds link_kinds();

}  // namespace nlsh
