// Values of which the last one counts.
#pragma once

#include "parser/ip/bridge/values.h"

namespace nlsh {

// take_once for a keyword that iproute2 lets be given again: nothing is looked up before the end.
template <typename T, typename Parse>
Parsed<void> take_last(Arguments& arguments, std::string_view keyword, T& place, Parse parse) {
    place = T{};
    return take_once(arguments, keyword, place, parse);
}

}  // namespace nlsh
