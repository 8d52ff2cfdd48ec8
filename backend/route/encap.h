// Light-weight tunnels of routes and nexthops (linux/lwtunnel.h), as text or JSON.
#pragma once

#include "backend/names/devices.h"
#include "backend/net/attributes.h"
#include "backend/render/printer.h"
#include "parser/names.h"

namespace nlsh {

struct EncapOutput {
    Printer& printer;
    const NameTables& names;
    DeviceNames& devices;
};

// Of RTA_ENCAP_TYPE and RTA_ENCAP, or a nexthop's. True also when there is none.
bool can_print_encap(Attribute type, Attribute encap);
// Nothing for none.
void print_encap(const EncapOutput& output, Attribute type, Attribute encap);

}  // namespace nlsh
