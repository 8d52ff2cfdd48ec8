// IPv6 segment routing of routes and nexthops, as text or JSON.
#pragma once

#include "backend/objects/route/encap.h"

namespace nlsh {

bool can_print_seg6(Attribute encap);
void print_seg6(const EncapOutput& output, Attribute encap);
bool can_print_seg6local(Attribute encap);
void print_seg6local(const EncapOutput& output, Attribute encap);

}  // namespace nlsh
