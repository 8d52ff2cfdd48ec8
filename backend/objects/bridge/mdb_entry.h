// Prints entries of a multicast database, and ports with routers, as text or JSON.
#pragma once

#include <linux/if_bridge.h>

#include "backend/context.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/render/printer.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {

class MdbPrinter {
  public:
    MdbPrinter(Context& context, DeviceNames& names, Printer& printer)
        : context_(context), names_(names), printer_(printer) {}

    // Prints the entries of one bridge's MDBA_MDB in the VLAN `vid` (0: all).
    void print_entries(uint32_t bridge, const Attribute& mdb, uint32_t vid);
    // Prints the ports of one bridge's MDBA_ROUTER.
    void print_routers(uint32_t bridge, Bytes ports);
    // Prints a monitor's message: an entry or a router's port, added or deleted.
    void print_event(uint32_t bridge, const Attributes<MDBA_MAX>& attributes, bool deleted);

  private:
    void print_entry(uint32_t bridge, Bytes info, uint32_t vid);
    void print_destination(const Attributes<newer::mdb_entry_max>& entry);
    void print_details(uint8_t family, const Attribute& mode, const Attribute& sources,
                       const Attribute& protocol);
    void painted(Color color, std::string_view key, std::string_view before,
                 std::string_view value);
    void print_sources(uint8_t family, Bytes sources);
    void print_router(std::string_view bridge, Bytes port);

    Context& context_;
    DeviceNames& names_;
    Printer& printer_;
};

}  // namespace nlsh
