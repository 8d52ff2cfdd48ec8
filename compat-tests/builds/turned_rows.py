"""The table of builds with one trait turned, by what the real one says otherwise (turned.py, edited.c). What came
after 6.15.0 has its rows in turned_newer.py."""

from turned_edits import Turned, fields, forms, in_help, out, says, unknown, without
from turned_newer import NEWER

ADDED = "gso_ipv4_max_size 65536 gro_ipv4_max_size 65536"
TURNED = [
    Turned("one_blank_before_allmulti", [out("  allmulti", " allmulti")], left=("ip -d link show dev v0", "ip -d -j link show dev v0")),
    Turned("one_blank_before_allmulti", [out("  allmulti", "   allmulti")], left=("ip -d link show dev v0",), now="open"),
    Turned(
        "one_blank_before_allmulti",
        [out("  allmulti", " allmulti", when="^-d link show dev lo$")],
        now="yes",
        native=("ip link show",),
        left=("ip -d link show dev v0",),
    ),
    Turned(
        "garbage_without_article",
        [out("is a garbage", "is garbage")],
        native=("ip rule add bogus bogus",),
        left=("ip link show dev lo bogus",),
    ),
    Turned(
        "garbage_without_article",
        [out("is a garbage", "is garbage", tool="bridge")],
        left=("bridge fdb add 00:00:00:00:00:00 dev lo bogus",),
    ),
    Turned("garbage_without_article", [out("is a garbage", "is rubbish")], left=("ip link show dev lo bogus",), now="open"),
    Turned(
        "on_off_by_table",
        [out('must be one of "off", "on", not "maybe"', 'must be "on" or "off", not "maybe"')],
        now="no",
        left=("ip link set dev v0 carrier maybe",),
    ),
    Turned(
        "on_off_in_full",
        [says(r"carrier o$", 22, r'Error: argument of "carrier" must be one of "off", "on", not "o"\n')],
        native=("ip link set dev v0 carrier off",),
        left=("ip link set dev v0 carrier o",),
    ),
    Turned(
        "nexthop_buckets",
        [out("bucket", "BUCKET", when="nexthop help"), unknown("Command", "bucket", of=" nexthop")],
        now="no",
        native=("ip nexthop show",),
    ),
    Turned(
        "vlan_options",
        [out("global", "GLOBAL", when="vlan help", tool="bridge"), unknown("Command", "global", "bridge", " vlan")],
        now="no",
        native=("bridge vlan show",),
        left=("bridge -d vlan show", "bridge vlan set dev v1 vid 1 state forwarding"),
    ),
    Turned(
        "vlan_details",
        [
            out("(global|state STP_STATE)", "WORD", when="vlan help", tool="bridge"),
            ("bridge", "words\t^-d vlan\t^-d \t"),
            says("vlan set", 255, r'Command "set" is unknown, try "bridge vlan help".\n', "bridge"),
        ],
        now="no",
        native=("bridge -d vlan show",),
        left=("bridge vlan set dev v1 vid 1 state forwarding",),
    ),
    Turned(
        "words_of_5_15",
        [out("bcqueuelen", "BCQUEUELEN", when="help"), out(" bcqueuelen [0-9]+ usedbcqueuelen [0-9]+", "")],
        now="no",
        native=("ip link add m9 link v0 address 02:00:00:00:00:07 type macvlan mode bridge; ip -d link show dev m9", "ip link show"),
    ),
    Turned(
        "route_nexthop_details",
        [out(r"\n\tnh_info [^\n]*", "", when="-d route")],
        now="no",
        left=("ip nexthop add id 5 via 10.8.0.9 dev v0; ip route add 10.7.0.0/16 nhid 5; ip -d route show",),
    ),
    Turned(
        "tight_receive_errors",
        [out("overrun\n", "overrun           \n", when="-s -s")],
        now="no",
        left=("ip -s -s link show dev lo", "ip -s -s address show dev lo", "ip -s -s -j link show dev lo"),
    ),
    # As 5.15, which has a part of what came between 5.10 and 6.1.
    Turned(
        "words_of_6_1",
        [
            says("^-echo", 255, r'Option "-echo" is unknown, try "ip -help".\n'),
            out("(  allmulti| (tso_max_size|tso_max_segs|gro_max_size|no_linklocal_learn|mcast_vlan_snooping)) [0-9]+", "", when="-d"),
            out(" (bcast_flood|locked) (on|off)", "", when="-d"),
            out(',\n? *"(allmulti|tso_max_size|tso_max_segs|gro_max_size|no_linklocal_learn|mcast_vlan_snooping)": ?[0-9]+', "", when="-d"),
            out(',\n? *"(bcast_flood|locked)": ?(true|false)', "", when="-d"),
            out("(locked|bcast_flood)", "WORD", when="help", tool="bridge"),
        ],
        now="no",
        native=("ip -d link show dev v0",),
        left=("ip link show dev v0", "ip address show"),
        edits_6_1=True,
    ),
    Turned("vni_object", [unknown("Object", "vni", "bridge")], now="no", native=("bridge vlan show", "bridge vni show")),
    Turned("stats_object", [unknown("Object", "stats", status=1)], now="no", native=("ip stats show dev lo group link", "ip link show")),
    Turned(
        "fdb_flush",
        [out("flush", "FLUSH", when="fdb help", tool="bridge"), unknown("Command", "flush", "bridge", " fdb")],
        now="no",
        native=("bridge fdb show",),
        left=("bridge fdb flush dev v1",),
    ),
    Turned(
        "any_label",
        [says("label zz", 1, r'"label" (zz) must match "dev" (lo) or be prefixed by "dev" with a colon.\n')],
        now="no",
        native=("ip address show dev lo",),
        left=("ip address add 10.9.9.9/32 dev lo label zz",),
    ),
    Turned(
        "mdb_mac_groups",
        [says("grp 01:", 255, r'Invalid address "01:00:5e:00:00:09"\n', "bridge")],
        now="no",
        left=("bridge mdb add dev b0 port v1 grp 01:00:5e:00:00:09 permanent",),
        native=("bridge mdb show",),
    ),
    Turned(
        "words_of_6_1",
        [out("locked", "LOCKED", when="help", tool="bridge")],
        left=("bridge link set dev v1 locked on",),
        now="open",
        native=("bridge fdb show",),
    ),
    Turned(
        "invalid_port",
        [out("invalid d?port range\n", "invalid port", when="rule")],
        native=("ip rule show",),
        left=("ip rule add sport x",),
    ),
    Turned(
        "vni_named_twice",
        [out('argument "6" is wrong: duplicate vni', 'duplicate "vni": "6" is the second value.', tool="bridge")],
        left=("bridge vni add vni 5 vni 6 dev lo",),
    ),
    Turned(
        "fdb_flush_reads_all",
        [says("flush dev lo foo", 255, r'bridge fdb: unknown command "foo"?\n', "bridge")],
        left=("bridge fdb flush dev lo foo",),
        native=("bridge fdb show",),
    ),
    Turned("rule_port_zero", [out("^(.|\n)*$", "", when="rule show sport 0")], native=("ip rule show",), left=("ip rule show sport 0",)),
    Turned("mdb_protocol_without_blank", [out("(proto [a-z]+) \n", r"\1\n", when="-d", tool="bridge")], left=("bridge -d mdb show",)),
    Turned(
        "neighbor_get_json",
        [
            out(
                "^([0-9.]+) dev ([a-z0-9]+) lladdr ([0-9a-f:]+) ([A-Z]+) \n",
                r'[{"dst":"\1","dev":"\2","lladdr":"\3","state":["\4"]}]\n',
                when="-j neigh get",
            )
        ],
        native=("ip neigh get 10.8.0.9 dev v0",),
        left=("ip -j neigh get 10.8.0.9 dev v0",),
    ),
    Turned("json_closed_after_error", [out(r"\[$", r"[]\n", when="-j route show table 7777")], native=("ip -j route show table 7777",)),
    Turned(
        "kinds_refuse_garbage",
        [says("type dummy bogus", 1, r'Garbage instead of arguments "bogus ...". Try "ip link help".\n')],
        left=("ip link add d9 type dummy bogus",),
    ),
    Turned(
        "netns_pid_opened",
        [says("netns 999999", 255, r'Error: argument "999999999" is wrong: Invalid "netns" value\n\n')],
        left=("ip link set dev lo netns 999999999",),
    ),
    Turned("option_lacks_value", [says("^-f$", 255, r'Error: argument "family type" is required\n')], left=("ip -f",)),
    Turned(
        "bridge_link_master",
        [says("link show master nope", 255, r'Cannot find device "nope"\n', "bridge")],
        native=("bridge link show",),
        left=("bridge link show master nope",),
    ),
    Turned("netns_set_silent", [out("^Cannot open.*\n", "", when="netns set")], native=("ip netns set nosuch 5",)),
    Turned(
        "link_ipv4_max_sizes",
        [
            in_help("link", "gso_ipv4_max_size"),
            out("(gro_max_size [0-9]+ )", rf"\1{ADDED} "),
            out('"gro_max_size":([0-9]+)', r'"gro_max_size":\1,"gso_ipv4_max_size":65536,"gro_ipv4_max_size":65536'),
            out('(\n *)"gro_max_size": ([0-9]+)', r'\1"gro_max_size": \2,\1"gso_ipv4_max_size": 65536,\1"gro_ipv4_max_size": 65536'),
        ],
        left=("ip -d link show dev v0", "ip -d -j link show dev v0", "ip -d -j -p link show dev v0"),
    ),
    Turned("link_ipv4_max_sizes", [in_help("link", "gso_ipv4_max_size")], native=("ip link show",), left=("ip -d link show dev v0",)),
    Turned(
        "address_protocol",
        [
            in_help("address", "proto "),
            out("::1/128 scope host ", "::1/128 scope host proto kernel_lo "),
            out('"scope":"host",("valid_life_time":[0-9]+,"preferred_life_time":[0-9]+})', r'"scope":"host",\1'),
        ],
        left=("ip -j address show dev lo",),
        now="yes",
    ),
    Turned(
        "fdb_protocol",
        [in_help("fdb", "proto ", "bridge")],
        now="open",
        native=("bridge fdb help 2>&1 | grep -q proto", "bridge vlan show", "bridge fdb show"),
        left=("bridge fdb add 02:00:00:00:00:77 dev v0 proto 5",),
    ),
    # What 6.1.0 has and older builds lack.
    Turned(
        "nexthop_flags_always",
        [out(r',\n? *"flags": ?\[ *\]', "", when="nexthop")],
        now="no",
        left=("ip nexthop add id 5 blackhole; ip -j nexthop show", "ip nexthop add id 5 blackhole; ip -j -p nexthop show id 5"),
    ),
    Turned("counters_in_columns", [out("RX:  bytes", "RX: bytes")], now="no", left=("ip -s link show dev lo",), native=("ip rule show",)),
    Turned(
        "brief_neighbors",
        [without("^-br neigh", "-br"), ("ip", "words\t^-br neigh\t^-br \t")],
        now="no",
        native=("ip neigh show",),
        left=("ip -br neigh show",),
    ),
    Turned("blanks_after_neighbor_words", [out(" \n", "\n", when="neigh")], now="no", left=("ip neigh show", "ip neigh show dev v0")),
    Turned(
        "bridge_link_of_ports",
        [out("^([0-9]+: pr1)", r"9: prb: <UP>\n\1", when="-d link", tool="bridge")],
        now="no",
        left=("bridge -d link show dev v1",),
        native=("bridge link show", "bridge vlan show"),
    ),
    Turned(
        "echo_option",
        [says("^-echo", 255, r'Option "-echo" is unknown, try "ip -help".\n')],
        now="no",
        native=("ip rule show",),
        left=("ip -echo link show lo",),
    ),
    # What came after it.
    Turned(
        "vxlan_booleans_last",
        [
            out("nolearning (ttl auto ageing 300 )udpcsum noudp6zerocsumtx noudp6zerocsumrx ", r"\1nolearning "),
            out("(ttl auto ageing 300 )udpcsum noudp6zerocsumtx noudp6zerocsumrx ", r"\1"),
        ],
        native=(
            "ip link add vx9 address 02:00:00:00:00:07 type vxlan id 9 dstport 4789; ip -d link show dev vx9",
            "ip link add vx9 address 02:00:00:00:00:07 type vxlan id 9 dstport 4789 nolearning; ip -d link show dev vx9",
        ),
    ),
    Turned(
        "bridge_root_id",
        [out("designated_root 00c8.2:0:0:0:0:14 root_port [01]", "designated_root 0064.2:0:0:0:0:13 root_port 1")],
        native=("ip -d link show dev b0",),
    ),
    Turned(
        "encap_type_required",
        [out('unexpected end of line after "encap"', 'argument "encap type" is required')],
        native=("ip route add 10.9.0.0/16 dev v0",),
        left=("ip route add 10.9.0.0/16 encap seg6 mode",),
    ),
    Turned(
        "mdb_reads_more_words",
        [in_help("mdb", "source_list", "bridge")],
        native=("bridge mdb show",),
        left=("bridge mdb add dev b0 port v1 grp 239.1.1.2 permanent proto zebra",),
    ),
    Turned("mdb_of_vxlan", [in_help("mdb", "src_vni", "bridge")], native=("bridge mdb show", "bridge -d mdb show dev b0")),
    Turned(
        "mdb_more_verbs",
        [in_help("mdb", "flush", "bridge"), says("mdb flush", 0, "", "bridge")],
        native=("bridge mdb show",),
        left=("bridge mdb flush dev b0",),
    ),
    Turned("wide_nexthop_weights", [says("group 1,300", 2, r"Error: Invalid nexthop id.\n")], native=("ip nexthop add id 9 group 1,300",)),
    Turned(
        "vxlan_localbypass",
        [in_help("vxlan", "localbypass"), without("type vxlan", "(no)?localbypass")],
        left=("ip link add vx9 type vxlan id 9 dstport 4789 nolocalbypass", "ip link add vx9 type vxlan id 9 dstport 4789 localbypass"),
    ),
    Turned(
        "vxlan_reserved_bits",
        [in_help("vxlan", "reserved_bits"), without("type vxlan", "reserved_bits 0x[0-9a-f]+")],
        left=("ip link add vx9 type vxlan id 9 dstport 4789 reserved_bits 0x1",),
    ),
    Turned(
        "bridge_fdb_limit",
        [in_help("bridge", "fdb_max_learned"), *fields("gc_timer", "+[0-9.]+", [("fdb_n_learned", 0, 0), ("fdb_max_learned", 0, 0)])],
        left=forms("ip -d", "link show dev b0"),
    ),
    Turned(
        "bridge_mst_enabled",
        [in_help("bridge", "mst_enabled"), *fields("mcast_vlan_snooping", "[01]", [("mst_enabled", 0, 0)])],
        left=forms("ip -d", "link show dev b0"),
    ),
    Turned("bridge_vlan_msti", [in_help("vlan", "msti", "bridge")], left=("bridge mst show",), native=("bridge vlan show",)),
    Turned(
        "port_mab",
        [in_help("bridge_slave", " mab"), *fields("locked", "o[nf]+", [("mab", "off", "false")])],
        left=forms("ip -d", "link show dev v1"),
    ),
    Turned(
        "port_mab",
        [in_help("link", " mab", "bridge"), *fields("locked", "o[nf]+", [("mab", "off", "false")], "bridge")],
        left=forms("bridge -d", "link show dev v1"),
    ),
    Turned(
        "port_group_limits",
        [
            in_help("link", "mcast_max_groups", "bridge"),
            *fields("locked", "o[nf]+", [("mcast_n_groups", 0, 0), ("mcast_max_groups", 0, 0)], "bridge", "tw1"),
            *fields("locked", "o[nf]+", [("mcast_n_groups", 1, 1), ("mcast_max_groups", 0, 0)], "bridge", " v1"),
        ],
        left=forms("bridge -d", "link show dev v1"),
    ),
    Turned(
        "port_neigh_vlan_suppress",
        [in_help("bridge_slave", "neigh_vlan_suppress"), *fields("neigh_suppress", "o[nf]+", [("neigh_vlan_suppress", "off", "false")])],
        left=forms("ip -d", "link show dev v1"),
    ),
    Turned(
        "port_neigh_vlan_suppress",
        [
            in_help("link", "neigh_vlan_suppress", "bridge"),
            *fields("neigh_suppress", "o[nf]+", [("neigh_vlan_suppress", "off", "false")], "bridge"),
        ],
        left=forms("bridge -d", "link show dev v1"),
    ),
    Turned(
        "port_backup_nhid",
        [in_help("bridge_slave", "backup_nhid"), without("type bridge_slave", "backup_nhid 0")],
        native=("ip -d link show dev v1",),
        left=("ip link set dev v1 type bridge_slave backup_nhid 0 learning off",),
    ),
    Turned("port_backup_nhid", [in_help("link", "backup_nhid", "bridge")], native=("bridge -d link show dev v1",)),
    Turned(
        "bond_coupled_control",
        [in_help("bond", "coupled_control"), without("type bond", "coupled_control o[nf]+")],
        left=("ip link add bd9 type bond coupled_control on",),
    ),
    Turned(
        "macvlan_bclim",
        [in_help("macvlan", "bclim"), without("type macvlan", "bclim [0-9]+")],
        left=("ip link add link v0 name mv9 type macvlan bclim 5",),
    ),
    Turned(
        "vni_table_tight",
        [
            out(
                "^dev               vni              group/remote   \n\n?",
                r"dev               vni                group/remote\n",
                tool="bridge",
            )
        ],
        native=("bridge vni show",),
    ),
    Turned(
        "encap_as_object",
        [out(r'"encap":"ip",("id":6[^}]*"tos":0)', r'"encap":{"encap_type":"ip",\1}')],
        native=("ip route add 10.98.0.0/24 encap ip id 6 dst 1.1.1.1 dev v0; ip -j route show", "ip route show"),
    ),
    Turned(
        "rule_port_masks",
        [in_help("rule", "sport [ NUMBER[/MASK] ]"), *fields("sport", "none", [("sport_mask", "none", '"0xffff"')], when="rule")],
        left=forms("ip", "rule show"),
    ),
    Turned(
        "rule_dscp",
        [in_help("rule", "dscp"), without("rule add", "dscp 10")],
        native=("ip rule show",),
        left=("ip rule add pref 9 dscp 10 table 7", "ip rule add pref 9 dscp 10 table 7 bogus"),
    ),
    Turned(
        "rule_flowlabel",
        [in_help("rule", "flowlabel"), without("rule add", "flowlabel 5")],
        native=("ip rule show",),
        left=("ip -6 rule add pref 9 flowlabel 5 table 7",),
    ),
    Turned(
        "nexthop_statistics",
        [in_help("nexthop", "hw_stats")],
        left=("ip nexthop show", "ip nexthop add id 5 blackhole; ip -s nexthop show"),
    ),
    Turned(
        "route_devices_of_hops",
        [
            out(
                "10.99.0.0/24",
                r"10.97.0.0/16 \n\tnexthop via 10.99.0.7 dev pr0 weight 1 \n\tnexthop dev lo weight 1 \n10.99.0.0/24",
                when="route show dev pr0",
            )
        ],
        native=("ip route show dev v0", "ip route show"),
    ),
    Turned("monitor_joined_addresses", [in_help("monitor", "maddress")], left=("ip monitor bogus",)),
    Turned(
        "netconf_reports",
        [says("-M netconf show dev", 2, r"RTNETLINK answers: Operation not supported\n")],
        native=("ip -M netconf show dev lo",),
    ),
    Turned("no_color_variable", [out("none", "none")], native=("ip link show dev lo", "ip -c link show dev lo"), constants="NO_COLOR"),
    Turned(
        "names_in_usr_share", [out("none", "none")], left=("ip rule show", "ip route show table local"), constants="/usr/share/iproute2"
    ),
    Turned("link_show_down", [in_help("link", "novf"), says("link show down", 0, "")], left=("ip link show down",)),
    Turned(
        "route_get_words",
        [in_help("route", "flowlabel"), ("ip", "words\tget to\t to \t ")],
        native=("ip route get to 10.8.0.9", "ip route get 10.8.0.9"),
    ),
    Turned(
        "vni_more_words",
        [
            out(r"\{ show \}", "{ show } [ dev DEV ]", when="vni help", tool="bridge"),
            says("vni show dev nosuch", 255, r'Cannot find device "nosuch"\n', "bridge"),
        ],
        native=("bridge vni show dev nosuch", "bridge vni show"),
    ),
    *NEWER,
]

# Traits that no edit plays.
UNTURNED = {
    "monitor_filters_first": "monitors fall back on unknown builds",
    "colour_on_terminals": "to a terminal the real one prints by itself (builds.bats asks Debian 13's build)",
}
