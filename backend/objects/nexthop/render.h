// A nexthop, or a bucket of a resilient group, as text or JSON.
#pragma once

#include <linux/nexthop.h>

#include "backend/context.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/render/printer.h"
#include "parser/ip/newer_kernel.h"

namespace nlsh {

struct Nexthop {
    Nexthop(const nhmsg& header, const nlmsghdr& message)
        : header(header), attributes(attribute_bytes<nhmsg>(message)) {}

    const nhmsg& header;
    Attributes<newer::nexthop_max> attributes;
};

// Asks for a group's counters, at the level of -s. Requests for one nexthop always have this
// attribute.
void put_nexthop_statistics(Message& message, const Options& options, bool one);

class NexthopPrinter {
  public:
    NexthopPrinter(Context& context, DeviceNames& devices, Printer& printer)
        : context_(context), devices_(devices), printer_(printer) {}

    // Returns false if it can't be printed exactly: the line then falls back. `deleted` marks the
    // nexthop as deleted, for an echo.
    bool print(const Nexthop& nexthop, bool deleted = false);
    // The same within an open object, without the last newline.
    bool print_fields(const Nexthop& nexthop);
    void print_bucket(const Nexthop& nexthop);

  private:
    void print_group(Attribute group);
    void print_resilient(Attribute nest);
    void print_path(const Nexthop& nexthop);
    void print_hardware(const Nexthop& nexthop);
    void print_counters(Attribute nest);

    Context& context_;
    DeviceNames& devices_;
    Printer& printer_;
};

}  // namespace nlsh
