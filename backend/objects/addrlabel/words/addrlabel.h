// ip addrlabel (ip-addrlabel(8)): requests. Labels of IPv6 prefixes, for source address selection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parser/ip/arguments.h"
#include "parser/ip/verb.h"

namespace nlsh {

// ip addrlabel add, delete.
struct AddrlabelChange {
    ChangeVerb verb = ChangeVerb::add;
    std::optional<InetPrefix> prefix;
    std::string device;  // empty: none
    std::optional<uint32_t> label;
};

struct AddrlabelShow {};

struct AddrlabelFlush {};

}  // namespace nlsh
