// What iproute2 itself says about a kind's options, before it asks the kernel.
#pragma once

#include <optional>
#include <string>

#include "backend/context.h"
#include "backend/link/lookup.h"
#include "parser/ip/link/link.h"

namespace nlsh {

// Prints warnings. The exit status when iproute2 refuses the options, else 0.
// `existing`: of the link that is changed, when it was asked for. A tunnel's options for a link of
// another kind are handed over: iproute2 reads that kind's data as if they were a tunnel's.
int check_kind_rules(Context& context, const LinkChange& request,
                     const std::optional<LinkKindData>& existing);

}  // namespace nlsh
