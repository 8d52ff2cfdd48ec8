// iproute2's own checks of a kind's options, before it asks the kernel.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "backend/context.h"
#include "backend/net/attributes.h"
#include "backend/objects/link/lookup.h"
#include "backend/objects/link/words/link.h"

namespace nlsh {

// A request for a kind, as its `check` looks at it.
struct KindChange {
    bool create = false;  // the link is a new one
    const std::vector<LinkAttribute>& data;
    const Bytes* existing = nullptr;  // the changed link's data, if it was asked for

    // Null: it isn't sent.
    const LinkAttribute* find(uint16_t type) const;
    // The first byte of an attribute as it is sent; 0 without one.
    uint8_t sent_u8(uint16_t type) const;
};

// The kind that is named; empty: none is.
std::string_view kind_of(const LinkChange& request);

// Prints warnings. The exit status when iproute2 refuses the options, else 0.
// `existing`: of the link that is changed, when it was asked for.
int check_kind(Context& context, const LinkChange& request, const LinkKindData* existing);

}  // namespace nlsh
