// One entry of a neighbour table as text or JSON.
#pragma once

#include "backend/names/devices.h"
#include "backend/neighbor/entries.h"
#include "backend/render/printer.h"

namespace nlsh {

struct NeighborRenderer {
    Printer& printer;
    DeviceNames& devices;
    const NameTables& names;
    bool hide_device = false;  // it was asked for by `dev`

    void print(const Neighbor& neighbor) const;

  private:
    void address(const Neighbor& neighbor) const;
    void brief(const Neighbor& neighbor) const;
    void flags(const Neighbor& neighbor) const;
    void statistics(const Neighbor& neighbor) const;
    void state(uint16_t state) const;
    void protocol(uint8_t protocol) const;
};

// A hardware address whose text depends on the type of its link (tunnels).
bool has_typed_link_address(const Neighbor& neighbor);

}  // namespace nlsh
