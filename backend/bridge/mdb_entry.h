// Entries of a multicast database, and routers' ports, as text or JSON (facts, 3.6).
#pragma once

#include "backend/context.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/render/printer.h"

namespace nlsh {

class MdbPrinter {
  public:
    MdbPrinter(Context& context, Channel& channel, Printer& printer)
        : context_(context), names_(channel), printer_(printer) {}

    // One MDBA_MDB_ENTRY_INFO, if its VLAN is `vid` or that is 0.
    void print_entry(uint32_t bridge, Bytes info, uint32_t vid);
    // The ports of one bridge's MDBA_ROUTER.
    void print_routers(uint32_t bridge, Bytes ports);

  private:
    void print_details(uint8_t family, const Attribute& mode, const Attribute& sources,
                       const Attribute& protocol);
    void print_sources(uint8_t family, Bytes sources);
    void print_router(std::string_view bridge, Bytes port);

    Context& context_;
    DeviceNames names_;
    Printer& printer_;
};

}  // namespace nlsh
