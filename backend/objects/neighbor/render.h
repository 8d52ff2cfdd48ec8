// One entry of a neighbour table as text or JSON.
#pragma once

#include <linux/neighbour.h>

#include "backend/context.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/render/printer.h"

namespace nlsh {

// One entry; valid as long as its message.
struct Neighbor {
    explicit Neighbor(const nlmsghdr& message)
        : header(family_header<ndmsg>(message)), attributes(attribute_bytes<ndmsg>(message)) {}

    const ndmsg* header;  // null: a broken message
    Attributes<NDA_MAX> attributes;
};

struct NeighborRenderer {
    Printer& printer;
    DeviceNames& devices;
    const NameTables& names;
    bool hide_device = false;  // the command has `dev`
    bool brief = false;
    bool blanks_after = true;  // print blanks after words, not before
    bool valid = false;        // print that an entry was validated elsewhere

    void print(const Neighbor& neighbor) const;

    void address(const Neighbor& neighbor) const;
    void shortly(const Neighbor& neighbor) const;
    void flags(const Neighbor& neighbor) const;
    void statistics(const Neighbor& neighbor) const;
    void state(uint16_t state) const;
    void protocol(uint8_t protocol) const;
};

NeighborRenderer neighbor_renderer(Context& context, Printer& printer, DeviceNames& devices,
                                   bool hide_device = false);

// Whether the text of the hardware address depends on the link's type (tunnels).
bool has_typed_link_address(const Neighbor& neighbor);

}  // namespace nlsh
