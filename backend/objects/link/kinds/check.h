// iproute2's own checks of a kind's options, before it asks the kernel.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backend/context.h"
#include "backend/net/attributes.h"
#include "backend/objects/link/words/link.h"

namespace nlsh {

// A link's kind (IFLA_INFO_KIND) and data (IFLA_INFO_DATA, as one string). Empty: it has none.
struct LinkKindData {
    std::string kind;
    std::string data;
};

// A request, for the `check` of its kind.
struct KindChange {
    bool create = false;  // the link is a new one
    const std::vector<LinkAttribute>& data;
    const Bytes* existing = nullptr;  // the changed link's data, if nlsh asked for the link

    // Null: the attribute isn't sent.
    const LinkAttribute* find(uint16_t type) const;
    // The first byte of a sent attribute; 0: it isn't sent.
    uint8_t sent_u8(uint16_t type) const;
};

// The kind that the request names; empty: none.
std::string_view kind_of(const LinkChange& request);

// Prints warnings. Returns the exit status if iproute2 refuses the options, otherwise 0.
// `existing`: the changed link, if nlsh asked for it.
int check_kind(Context& context, const LinkChange& request, const LinkKindData* existing);

}  // namespace nlsh
