// Asks the kernel for entries of the neighbour tables, and filters them.
#pragma once

#include <linux/neighbour.h>

#include "backend/context.h"
#include "backend/net/attributes.h"
#include "backend/objects/neighbor/words/neighbor.h"
#include "parser/ip/options.h"

namespace nlsh {

// One entry; valid as long as its message.
struct Neighbor {
    explicit Neighbor(const nlmsghdr& message)
        : header(family_header<ndmsg>(message)), attributes(attribute_bytes<ndmsg>(message)) {}

    const ndmsg* header;  // null: a broken message
    Attributes<NDA_MAX> attributes;
};

// A filter after the look-up of its names.
struct NeighborSelection {
    const NeighborFilter& filter;
    uint32_t ifindex = 0;
    uint32_t master = 0;
    uint16_t states = 0;

    bool contains(const Neighbor& neighbor) const;
};

// Looks up the filter's devices. Returns the exit status if one is missing.
std::expected<NeighborSelection, int> select_neighbors(Context& context, const Options& options,
                                                       Channel& channel,
                                                       const NeighborFilter& filter,
                                                       uint16_t default_states);

using ReceiveNeighbor = std::function<bool(const Neighbor&)>;
// Calls `receive` for each entry in the selection, until it returns false.
Verdict dump_neighbors(Channel& channel, const NeighborSelection& selection,
                       const ReceiveNeighbor& receive);

}  // namespace nlsh
