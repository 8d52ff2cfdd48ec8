// Light-weight tunnels of routes and nexthops (linux/lwtunnel.h), as text or JSON.
#pragma once

#include <string>

#include "backend/context.h"
#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/render/printer.h"

namespace nlsh {

struct EncapOutput {
    Context& context;
    Printer& printer;
    DeviceNames& devices;

    // Begins the encapsulation: an object in JSON, or keys of the route's own object.
    void begin(std::string_view type) const;
};

// MPLS labels (RFC 3032), LABEL/LABEL/…, the outermost first; empty: the stack is broken.
std::string label_stack(Bytes bytes);
// For RTA_ENCAP_TYPE and RTA_ENCAP, or a nexthop's. True without an encapsulation.
bool can_print_encap(Attribute type, Attribute encap);
// Prints nothing without an encapsulation.
void print_encap(const EncapOutput& output, Attribute type, Attribute encap);

}  // namespace nlsh
