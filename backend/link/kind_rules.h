// What iproute2 itself says about a kind's options, before it asks the kernel.
#pragma once

#include <optional>
#include <string>

#include "backend/context.h"
#include "parser/ip/link.h"

namespace nlsh {

// Prints warnings. The exit status when iproute2 refuses the options, else 0.
// `existing`: IFLA_INFO_DATA of the link that is changed, when it was asked for.
int check_kind_rules(Context& context, const LinkChange& request,
                     const std::optional<std::string>& existing);

}  // namespace nlsh
