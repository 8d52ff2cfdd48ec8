// Additions to the kernel's interface after Linux 6.1, whose headers Debian 12 has. Newer headers
// have the same names and numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nlsh::newer {

// <linux/if_link.h>
inline constexpr uint16_t IFLA_GSO_IPV4_MAX_SIZE = 63;
inline constexpr uint16_t IFLA_GRO_IPV4_MAX_SIZE = 64;
inline constexpr uint16_t IFLA_NETNS_IMMUTABLE = 67;
inline constexpr size_t link_max = IFLA_NETNS_IMMUTABLE;  // the last one that we read

inline constexpr uint16_t IFLA_BR_FDB_N_LEARNED = 48;
inline constexpr uint16_t IFLA_BR_FDB_MAX_LEARNED = 49;
inline constexpr uint16_t IFLA_BR_STP_MODE = 50;

inline constexpr uint16_t IFLA_BRPORT_MAB = 40;
inline constexpr uint16_t IFLA_BRPORT_MCAST_N_GROUPS = 41;
inline constexpr uint16_t IFLA_BRPORT_MCAST_MAX_GROUPS = 42;
inline constexpr uint16_t IFLA_BRPORT_NEIGH_VLAN_SUPPRESS = 43;
inline constexpr uint16_t IFLA_BRPORT_BACKUP_NHID = 44;
inline constexpr uint16_t IFLA_BRPORT_NEIGH_FORWARD_GRAT = 45;

inline constexpr uint16_t IFLA_VXLAN_LOCALBYPASS = 31;
inline constexpr uint16_t IFLA_VXLAN_RESERVED_BITS = 33;
inline constexpr uint16_t IFLA_VXLAN_MC_ROUTE = 34;
inline constexpr uint16_t IFLA_BOND_COUPLED_CONTROL = 32;
inline constexpr uint16_t IFLA_BOND_BROADCAST_NEIGH = 33;
inline constexpr uint16_t IFLA_BOND_LACP_STRICT = 34;
inline constexpr uint16_t IFLA_BOND_SLAVE_ACTOR_PORT_PRIO = 10;
inline constexpr uint16_t IFLA_BOND_SLAVE_AD_CHURN_ACTOR_STATE = 11;
inline constexpr uint16_t IFLA_BOND_SLAVE_AD_CHURN_PARTNER_STATE = 12;
inline constexpr uint16_t IFLA_MACVLAN_BC_CUTOFF = 9;

// <linux/if_bridge.h>
inline constexpr uint32_t BR_BOOLOPT_MDB_OFFLOAD_FAIL_NOTIFICATION = 3;
inline constexpr uint32_t BR_BOOLOPT_FDB_LOCAL_VLAN_0 = 4;

inline constexpr uint16_t BRIDGE_VLANDB_ENTRY_MCAST_N_GROUPS = 7;
inline constexpr uint16_t BRIDGE_VLANDB_ENTRY_MCAST_MAX_GROUPS = 8;
inline constexpr uint16_t BRIDGE_VLANDB_ENTRY_NEIGH_SUPPRESS = 9;
inline constexpr uint16_t BRIDGE_VLANDB_ENTRY_NEIGH_FORWARD_GRAT = 10;
inline constexpr size_t vlan_entry_max = BRIDGE_VLANDB_ENTRY_NEIGH_FORWARD_GRAT;

inline constexpr uint16_t MDBE_ATTR_SRC_LIST = 2;
inline constexpr uint16_t MDBE_ATTR_GROUP_MODE = 3;
inline constexpr uint16_t MDBE_ATTR_RTPROT = 4;
inline constexpr uint16_t MDBE_ATTR_DST = 5;
inline constexpr uint16_t MDBE_ATTR_DST_PORT = 6;
inline constexpr uint16_t MDBE_ATTR_VNI = 7;
inline constexpr uint16_t MDBE_ATTR_IFINDEX = 8;
inline constexpr uint16_t MDBE_ATTR_SRC_VNI = 9;
inline constexpr uint16_t MDBE_ATTR_STATE_MASK = 10;
inline constexpr uint16_t MDBE_SRC_LIST_ENTRY = 1;
inline constexpr uint16_t MDBE_SRCATTR_ADDRESS = 1;

inline constexpr uint16_t MDBA_GET_ENTRY = 1;
inline constexpr uint16_t MDBA_GET_ENTRY_ATTRS = 2;

inline constexpr uint16_t MDBA_MDB_EATTR_DST = 6;
inline constexpr uint16_t MDBA_MDB_EATTR_DST_PORT = 7;
inline constexpr uint16_t MDBA_MDB_EATTR_VNI = 8;
inline constexpr uint16_t MDBA_MDB_EATTR_IFINDEX = 9;
inline constexpr uint16_t MDBA_MDB_EATTR_SRC_VNI = 10;
inline constexpr size_t mdb_entry_max = MDBA_MDB_EATTR_SRC_VNI;
// MDB_FLAGS_OFFLOAD_FAILED, which newer headers have as a macro.
inline constexpr uint8_t mdb_offload_failed = 1 << 4;

// <linux/nexthop.h>
inline constexpr uint16_t NHA_OP_FLAGS = 14;
inline constexpr uint16_t NHA_GROUP_STATS = 15;
inline constexpr uint16_t NHA_HW_STATS_ENABLE = 16;
inline constexpr uint16_t NHA_HW_STATS_USED = 17;
// iproute2 7.3 sends it; Linux 7.2 doesn't know it.
inline constexpr uint16_t nexthop_port = 18;
inline constexpr size_t nexthop_max = nexthop_port;
inline constexpr uint16_t NHA_GROUP_STATS_ENTRY = 1;
inline constexpr uint16_t NHA_GROUP_STATS_ENTRY_ID = 1;
inline constexpr uint16_t NHA_GROUP_STATS_ENTRY_PACKETS = 2;
inline constexpr uint16_t NHA_GROUP_STATS_ENTRY_PACKETS_HW = 3;
// struct nexthop_grp, whose second byte of the weight was reserved before Linux 6.12.
struct NexthopGroup {
    uint32_t id;
    uint8_t weight;
    uint8_t weight_high;
    uint16_t reserved;
};
// NHA_OP_FLAG_DUMP_STATS and NHA_OP_FLAG_DUMP_HW_STATS, which newer headers have as macros.
inline constexpr uint32_t nexthop_dump_stats = 1 << 0;
inline constexpr uint32_t nexthop_dump_hw_stats = 1 << 1;

// <linux/neighbour.h>
// NTF_EXT_EXT_VALIDATED, which newer headers have as a macro.
inline constexpr uint32_t neighbor_externally_valid = 1 << 2;

// <linux/fib_rules.h>
inline constexpr uint16_t FRA_DSCP = 25;
inline constexpr uint16_t FRA_FLOWLABEL = 26;
inline constexpr uint16_t FRA_FLOWLABEL_MASK = 27;
inline constexpr uint16_t FRA_SPORT_MASK = 28;
inline constexpr uint16_t FRA_DPORT_MASK = 29;
inline constexpr uint16_t FRA_DSCP_MASK = 30;
inline constexpr size_t rule_max = FRA_DSCP_MASK;

// <linux/seg6_iptunnel.h>
inline constexpr uint16_t SEG6_IPTUNNEL_SRC = 2;
// iproute2 7.3 sends it; Linux 7.2 doesn't know it.
inline constexpr uint16_t seg6_table = 3;
inline constexpr size_t seg6_max = seg6_table;

// <linux/rtnetlink.h>
inline constexpr uint16_t RTA_FLOWLABEL = 31;
inline constexpr uint16_t RTM_NEWMULTICAST = 56;
inline constexpr uint16_t RTM_DELMULTICAST = 57;
inline constexpr uint16_t RTM_NEWANYCAST = 60;
inline constexpr uint16_t RTM_DELANYCAST = 61;
inline constexpr uint32_t RTNLGRP_IPV4_MCADDR = 37;
inline constexpr uint32_t RTNLGRP_IPV6_MCADDR = 38;
inline constexpr uint32_t RTNLGRP_IPV6_ACADDR = 39;

}  // namespace nlsh::newer
