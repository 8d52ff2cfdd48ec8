"""Rows of the table of turned builds (turned_rows.py) for what came after 6.15.0."""

from turned_edits import RELEASE, Turned, fields, forms, in_help, out, says, without

# A bridge's field before those that came later.
BEFORE_NEWER = "mcast_vlan_snooping" if RELEASE < (6, 15) else "mst_enabled"
NEWER = [
    Turned(
        "group_filter_first",
        [out(r"\[( ?(\{\},)*\{\} ?)\]", "[]", when="-j link show group")],
        native=("ip -j link show group 77", "ip link show group 77", "ip -j link show"),
    ),
    Turned(
        "netns_immutable",
        [
            out("(minmtu 0 maxmtu 0 )", r"\1netns-immutable "),
            out("(maxmtu 65535 )(\n *bridge )", r"\1netns-immutable \2"),
            out('("max_mtu":0,)', r'\1"netns-immutable":true,'),
            out('("max_mtu":65535,)("linkinfo":[{]"info_kind":"bridge")', r'\1"netns-immutable":true,\2'),
            out('(\n *)("max_mtu": 0,)', r'\1\2\1"netns-immutable": true,'),
            out('(\n *)("max_mtu": 65535,)(\n *"linkinfo": [{]\n *"info_kind": "bridge")', r'\1\2\1"netns-immutable": true,\3'),
        ],
        left=("ip -d link show dev lo", "ip -d -j link show dev lo", "ip -d -j -p link show dev b0", "ip -d address show dev v0"),
        constants="netns-immutable",
    ),
    Turned(
        "bridge_mdb_offload_notice",
        [
            in_help("bridge", "mdb_offload_fail_notification"),
            *fields(BEFORE_NEWER, "[01]", [("mdb_offload_fail_notification", 0, 0)]),
        ],
        left=forms("ip -d", "link show dev b0"),
    ),
    Turned(
        "bridge_fdb_local_vlan_0",
        [in_help("bridge", "fdb_local_vlan_0"), *fields(BEFORE_NEWER, "[01]", [("fdb_local_vlan_0", 0, 0)])],
        left=forms("ip -d", "link show dev b0"),
    ),
    Turned(
        "ntable_mcast_reprobes",
        [in_help("ntable", "mcast_reprobes"), *fields("mcast_probes", "[0-9]+", [("mcast_reprobes", 0, 0)], when="ntable")],
        left=tuple(
            f"ip ntable change name arp_cache dev v1 base_reachable 0; ip {option}ntable show name arp_cache dev v1"
            for option in ("", "-j ")
        ),
    ),
    Turned(
        "stats_vlan_suite",
        [
            in_help("stats", "suite vlan"),
            out("(([0-9]+: [^:]*): group (xstats(_slave)?) subgroup bridge suite )(mcast)", r"\1vlan\n\1\5", when="stats"),
        ],
        left=("ip stats show dev lo", "ip stats show dev lo group link"),
    ),
    Turned(
        "neighbor_extern_valid",
        [in_help("neigh", "extern_valid"), ("ip", "words\tneigh add\t extern_valid\t")],
        left=("ip neigh add 10.8.0.7 lladdr 02:00:00:00:00:01 dev nosuch extern_valid", "ip neigh show"),
    ),
    Turned(
        "fdb_activity",
        [in_help("fdb", "activity_notify", "bridge")],
        native=("bridge -d fdb show dev v1", "bridge fdb add 02:00:00:00:00:77 dev v1 master static"),
    ),
    Turned(
        "vxlan_mcroute",
        [in_help("vxlan", "mcroute"), without("type vxlan", "(no)?mcroute")],
        native=("ip link add vx9 type vxlan id 9 dstport 4789",),
        left=("ip link add vx9 type vxlan id 9 dstport 4789 mcroute",),
    ),
    Turned(
        "bond_broadcast_neighbor",
        [in_help("bond", "broadcast_neighbor"), without("type bond", "broadcast_neighbor o[nf]+")],
        left=("ip link add bd9 type bond broadcast_neighbor on",),
    ),
    Turned(
        "bond_lacp_strict",
        [in_help("bond", "lacp_strict"), without("type bond", "lacp_strict o[nf]+")],
        left=("ip link add bd9 type bond lacp_strict on",),
    ),
    Turned("bond_churn_states", [out("none", "none")], native=("ip -d link show dev v1",), constants="churn_actor_state"),
    Turned(
        "bridge_stp_mode",
        [in_help("bridge", "stp_mode"), without("type bridge", "stp_mode kernel")],
        native=("ip -d link show dev b0",),
        left=("ip link set dev b0 type bridge stp_mode kernel",),
    ),
    Turned(
        "port_neigh_forward_grat",
        [
            in_help("bridge_slave", "neigh_forward_grat"),
            in_help("link", "neigh_forward_grat", "bridge"),
            without("type bridge_slave", "neigh_forward_grat o[nf]+"),
        ],
        native=("ip -d link show dev v1", "ip -d -j link show dev v1", "ip -d -j -p link show dev v1"),
        left=("ip link set dev v1 type bridge_slave neigh_forward_grat on learning on",),
    ),
    Turned(
        "link_inet_parameters",
        [in_help("link", "igmpv2_unsolicited_report_interval"), without("link set dev v0 up", "inet forwarding o[nf]+")],
        native=("ip link show dev v0",),
        left=("ip link set dev v0 up inet forwarding on",),
    ),
    Turned(
        "seg6_source",
        [says("tunsrc", 255, r'Error: argument "fc00::9" is wrong: "tunsrc" invalid with inline mode\n\n')],
        left=("ip route add 10.9.0.0/16 encap seg6 mode inline segs fc00::1 tunsrc fc00::9 dev v0",),
    ),
    Turned(
        "seg6_lookup",
        [in_help("route", "lookup TABLEID"), without("encap seg6", "lookup [0-9]+")],
        left=("ip route add fd07::/64 encap seg6 mode encap segs fc00::1 lookup 5 dev nosuch",),
    ),
    Turned(
        "nexthop_port",
        [in_help("nexthop", "dst_port"), without("nexthop add", "dst_port [0-9]+")],
        native=("ip nexthop show",),
        left=("ip nexthop add id 5 via 10.8.0.9 dev nosuch dst_port 5",),
    ),
    Turned("mdb_offload_failed", [out("none", "none", tool="bridge")], native=forms("bridge", "mdb show"), constants="offload_failed"),
    Turned("bond_actor_port_prio", [in_help("bond_slave", "actor_port_prio")], native=("ip -d link show dev v1",)),
    Turned(
        "dark_palette",
        [out("\033\\[3([12356])m", "\033[1;3\\1m", tool=tool) for tool in ("ip", "bridge")]
        + [out("\033\\[34m", "\033[1;94m", tool=tool) for tool in ("ip", "bridge")],
        left=("ip -c link show dev v0", "ip -c address show dev lo", "bridge -c link show"),
    ),
    Turned(
        "names_as_of_altnames",
        [says("link set a/b up", 1, r'Cannot find device "a/b"\n')],
        left=("ip link set a/b up", "ip rule show iif .", "ip link set dev v0 up"),
    ),
    Turned("json_control_escapes", [out("none", "none")], native=("ip -j link show dev lo", "ip link show dev lo"), constants="u%04x"),
    Turned(
        "vlan_querier_state",
        [out("none", "none", tool="bridge")],
        native=("bridge vlan show", "bridge fdb show"),
        constants="mcast_querier_ipv4_addr",
    ),
    Turned(
        "route_feature_list",
        [says("features$", 255, r'Error: argument "(null)" is wrong: "features" value not valid\n\n')],
        left=("ip route add 10.9.0.0/16 dev v0 features", "ip route add 10.9.0.0/16 dev v0 features ecn"),
    ),
    Turned(
        "no_ioctl_for_queue_length",
        [out("qlen [0-9]+", "", when="^-6 address"), out(',"txqlen":[0-9]+', "", when="-6.*address")],
        native=("ip -6 address show", "ip address show dev lo"),
    ),
    Turned(
        "link_addresses_named_whole",
        [says("address 1:zz$", 1, r'"1:zz" is invalid lladdr.\n')],
        left=("ip link set dev lo address 1:zz",),
        native=("ip link set dev v0 address 02:00:00:00:00:05",),
    ),
    Turned(
        "blank_after_nexthop_fdb",
        [out(" fdb\n", r" fdb \n", when="nexthop")],
        native=("ip nexthop add id 5 via 10.8.0.9 fdb; ip nexthop show",),
    ),
    Turned(
        "writes_blocks",
        [says("^-force -batch /run/late$", 1, r'Device "nosuch" does not exist.\nCommand failed /run/late:2\n')],
        native=(r"printf 'address show dev lo\nroute show\n' | ip -b -",),
    ),
    Turned(
        "writes_blocks",
        [says("^-force -batch /run/late$", 1, r'Device "another" does not exist.\nCommand failed /run/late:2\n')],
        left=("printf 'address show dev lo\\nroute show\\n' | ip -b -",),
        now="open",
    ),
    # In no release.
    Turned(
        "netns_below_var_run",
        [out('(["> ])/run/netns', r"\1/var/run/netns", when="^netns")],
        native=("ip netns",),
        left=("ip netns delete nosuch", "ip netns attach nosuch 999999999"),
        constants="/var/run/netns",
    ),
]
