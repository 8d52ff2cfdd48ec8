// What an ip or bridge command asks for, as a typed request. One header for each object.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "parser/ip/address.h"
#include "parser/ip/addrlabel.h"
#include "parser/ip/bridge_link.h"
#include "parser/ip/bridge_vlan.h"
#include "parser/ip/fdb.h"
#include "parser/ip/link.h"
#include "parser/ip/link_show.h"
#include "parser/ip/maddress.h"
#include "parser/ip/mdb.h"
#include "parser/ip/monitor.h"
#include "parser/ip/neighbor.h"
#include "parser/ip/netconf.h"
#include "parser/ip/netns.h"
#include "parser/ip/nexthop.h"
#include "parser/ip/ntable.h"
#include "parser/ip/options.h"
#include "parser/ip/refusal.h"
#include "parser/ip/route.h"
#include "parser/ip/route_show.h"
#include "parser/ip/rule.h"
#include "parser/ip/stats.h"
#include "parser/ip/token.h"
#include "parser/ip/tunnel.h"
#include "parser/ip/tuntap.h"
#include "parser/ip/vni.h"
#include "parser/ip/vrf.h"

namespace nlsh {

using Request =
    std::variant<LinkChange, LinkShow, AddressChange, AddressShow, AddressFlush, RouteChange,
                 RouteShow, RouteGet, RouteFlush, RuleChange, RuleShow, RuleFlush, NeighborChange,
                 NeighborShow, NeighborGet, NeighborFlush, BridgeLinkSet, BridgeLinkShow, FdbChange,
                 FdbShow, FdbGet, VlanChange, VlanSet, VlanShow, NexthopChange, NexthopDelete,
                 NexthopShow, NexthopFlush, NexthopBucketShow, NexthopBucketGet, Monitor,
                 TunnelChange, TunnelShow, TuntapChange, TuntapShow, MdbChange, MdbShow, VniChange,
                 VniShow, FdbFlush, AddrlabelChange, AddrlabelShow, AddrlabelFlush, TokenSet,
                 TokenShow, NetconfShow, NtableChange, NtableShow, VrfShow, MaddressChange,
                 MaddressShow, NetnsList, NetnsListId, NetnsSet, NetnsFile, NetnsIdentify,
                 NetnsPids, StatsShow, StatsSet, LinkXstats, LinkAfstats, RefusedCommand>;

struct Command {
    Options options;
    Request request;
    std::string summary;  // object and verb in full: "link set", for explain and statistics
    bool read_only = false;
    std::string netns = {};  // -netns; empty: none
};

}  // namespace nlsh
