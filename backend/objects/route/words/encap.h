// `encap TYPE …` of routes and nexthops: a lightweight tunnel (linux/lwtunnel.h), as data.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/objects/link/words/link.h"
#include "parser/ip/arguments.h"
#include "parser/names.h"

namespace nlsh {

// Pure data: the contents of RTA_ENCAP or NHA_ENCAP. Devices are names; look them up before the
// route's devices.
struct RouteEncap {
    uint16_t type = 0;  // LWTUNNEL_ENCAP_*; 0: none
    std::vector<LinkAttribute> attributes;
    bool names_device() const;
};

// Reads the words after `encap`, up to the first that isn't part of it. Declines types except ip,
// ip6, mpls, seg6 and seg6local, and all tunnel options.
Parsed<RouteEncap> parse_encap(const NameTables& names, Arguments& arguments);

// A stack of MPLS labels (RFC 3032), LABEL/LABEL/…, in network order. Declines other forms.
Parsed<std::string> parse_labels(std::string_view word);

}  // namespace nlsh
