// One entry of a neighbour table as text or JSON.
#pragma once

#include "backend/context.h"
#include "backend/names/devices.h"
#include "backend/objects/neighbor/entries.h"
#include "backend/render/printer.h"

namespace nlsh {

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
