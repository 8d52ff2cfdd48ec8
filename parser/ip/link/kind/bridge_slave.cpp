#include <linux/if_link.h>

#include "parser/ip/link/kind/kind.h"

namespace nlsh {
namespace {

Parsed<void> clear_backup(OptionScope& scope, const LinkOption& option, Arguments&) {
    return scope.put_number(option.attribute, uint32_t{0});
}

constexpr auto master = static_cast<uint32_t>(LinkDevice::Role::master);

constexpr LinkOption options[] = {
    {"fdb_flush", IFLA_BRPORT_FLUSH, set_flag},
    {"state", IFLA_BRPORT_STATE, read_u8, 0, {}, Spelling::prefix, "state is invalid"},
    {"priority", IFLA_BRPORT_PRIORITY, read_u16, 0, {}, Spelling::prefix, "priority is invalid"},
    {"cost", IFLA_BRPORT_COST, read_u32, 0, {}, Spelling::prefix, "cost is invalid"},
    {"hairpin", IFLA_BRPORT_MODE, read_on_off},
    {"guard", IFLA_BRPORT_GUARD, read_on_off},
    {"root_block", IFLA_BRPORT_PROTECT, read_on_off},
    {"fastleave", IFLA_BRPORT_FAST_LEAVE, read_on_off},
    {"mcast_fast_leave", IFLA_BRPORT_FAST_LEAVE, read_on_off},
    {"learning", IFLA_BRPORT_LEARNING, read_on_off},
    {"flood", IFLA_BRPORT_UNICAST_FLOOD, read_on_off},
    {"proxy_arp", IFLA_BRPORT_PROXYARP, read_on_off},
    {"proxy_arp_wifi", IFLA_BRPORT_PROXYARP_WIFI, read_on_off},
    {"mcast_router",
     IFLA_BRPORT_MULTICAST_ROUTER,
     read_u8,
     0,
     {},
     Spelling::prefix,
     "invalid mcast_router"},
    {"mcast_flood", IFLA_BRPORT_MCAST_FLOOD, read_on_off},
    {"bcast_flood", IFLA_BRPORT_BCAST_FLOOD, read_on_off},
    {"mcast_to_unicast", IFLA_BRPORT_MCAST_TO_UCAST, read_on_off},
    {"group_fwd_mask",
     IFLA_BRPORT_GROUP_FWD_MASK,
     read_u16,
     0,
     {},
     Spelling::prefix,
     "invalid group_fwd_mask"},
    {"neigh_suppress", IFLA_BRPORT_NEIGH_SUPPRESS, read_on_off},
    {"vlan_tunnel", IFLA_BRPORT_VLAN_TUNNEL, read_on_off},
    {"isolated", IFLA_BRPORT_ISOLATED, read_on_off},
    {"locked", IFLA_BRPORT_LOCKED, read_on_off},
    {"backup_port", IFLA_BRPORT_BACKUP_PORT, read_device, master},
    {"nobackup_port", IFLA_BRPORT_BACKUP_PORT, clear_backup},
};

}  // namespace

const LinkKind bridge_slave_kind{"bridge_slave", options};

}  // namespace nlsh
