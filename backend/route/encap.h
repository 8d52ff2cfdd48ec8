// The encapsulation of a route or nexthop as text or JSON (facts, 3.4).
#pragma once

#include "backend/net/attributes.h"
#include "backend/render/printer.h"

namespace nlsh {

// Whether print_encap prints it exactly: IP and IPv6 tunnels without options, segment routing.
bool can_print_encap(Attribute type, Attribute encap);
void print_encap(Printer& printer, Attribute type, Attribute encap);

}  // namespace nlsh
