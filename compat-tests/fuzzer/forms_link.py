"""Forms of `ip link`, `ip tunnel` and `ip tuntap`; grammar.py says how a form is drawn."""

from . import values as v

# No addrgenmode that makes link-local addresses: whether a device gets one depends on whether its carrier has been noticed.
LINK_SET = [("up",), ("down",), ("mtu", v.number), ("address", v.mac), ("broadcast", v.mac), ("txqueuelen", v.number), ("master", v.device),
            ("nomaster",), ("alias", v.choice("text", "two words", "", "x")), ("arp", v.switch), ("multicast", v.switch),
            ("allmulticast", v.switch), ("promisc", v.switch), ("dynamic", v.switch), ("trailers", v.switch), ("group", v.group),
            ("name", v.name), ("addrgenmode", v.choice("none", "stable_secret")), ("protodown", v.switch),
            ("carrier", v.switch), ("mode", v.choice("default", "dormant", "x")), ("state", v.choice("up", "down", "dormant", "x")),
            ("gso_max_size", v.number), ("gso_max_segs", v.number), ("gro_max_size", v.number), ("numtxqueues", v.small),
            ("link", v.device), ("index", v.number), ("vrf", v.device), ("protodown_reason", v.small, v.switch)]
LINK_BASIC = [("up",), ("down",), ("mtu", v.mtu), ("address", v.mac), ("txqueuelen", v.small), ("alias", v.choice("text", "two words")),
              ("arp", v.switch), ("multicast", v.switch), ("group", v.small), ("addrgenmode", "none"),
              ("promisc", v.switch), ("allmulticast", v.switch), ("qlen", v.small), ("numtxqueues", v.choice("1", "2")), ("numrxqueues", "1")]
LINK_FILTER = [("dev", v.device), ("dev", v.device), ("up",), ("master", v.device), ("group", v.group), ("vrf", v.device),
               ("type", v.choice("bridge", "veth", "vxlan", "macvlan", "bridge_slave", "vlan", "bogus", "ifb", "macvtap", "vrf", "dummy",
                                 "bond", "gre", "tun")), ("novf",)]
BRIDGE = [("stp_state", v.bit), ("ageing_time", v.number), ("forward_delay", v.number), ("hello_time", v.number),
          ("max_age", v.number), ("priority", v.number), ("vlan_default_pvid", v.number), ("group_fwd_mask", v.number),
          ("mcast_snooping", v.bit), ("mcast_querier", v.bit), ("mcast_router", v.small), ("mcast_hash_max", v.number),
          ("mcast_hash_elasticity", v.number), ("mcast_query_interval", v.number), ("mcast_startup_query_count", v.number),
          ("mcast_last_member_count", v.number), ("mcast_last_member_interval", v.number), ("mcast_membership_interval", v.number),
          ("mcast_querier_interval", v.number), ("mcast_query_use_ifaddr", v.bit), ("mcast_query_response_interval", v.number),
          ("mcast_startup_query_interval", v.number), ("mcast_stats_enabled", v.bit), ("mcast_igmp_version", v.choice("2", "3", "4")),
          ("mcast_mld_version", v.choice("1", "2", "0")), ("nf_call_iptables", v.bit), ("nf_call_ip6tables", v.bit),
          ("nf_call_arptables", v.bit), ("no_linklocal_learn", v.bit), ("vlan_filtering", v.bit), ("vlan_protocol", v.choice("802.1Q", "802.1ad", "x")),
          ("vlan_stats_enabled", v.bit), ("vlan_stats_per_port", v.bit), ("mcast_vlan_snooping", v.bit),
          ("group_address", v.choice("01:80:c2:00:00:04", "02:00:00:00:00:01")), ("fdb_flush",)]
BRIDGE_SLAVE = [("state", v.small), ("cost", v.number), ("priority", v.number), ("hairpin", v.switch), ("guard", v.switch),
                ("root_block", v.switch), ("fastleave", v.switch), ("learning", v.switch), ("flood", v.switch),
                ("mcast_flood", v.switch), ("bcast_flood", v.switch), ("isolated", v.switch), ("proxy_arp", v.switch),
                ("proxy_arp_wifi", v.switch), ("neigh_suppress", v.switch), ("vlan_tunnel", v.switch), ("mcast_router", v.small),
                ("group_fwd_mask", v.number), ("backup_port", v.device), ("nobackup_port",), ("locked", v.switch), ("fdb_flush",),
                ("mcast_to_unicast", v.switch), ("mcast_fast_leave", v.switch)]
VXLAN = [("local", v.address), ("remote", v.address), ("dev", v.device), ("dstport", v.number), ("ttl", v.ttl),
         ("tos", v.tos), ("ageing", v.number), ("maxaddress", v.number), ("learning",), ("nolearning",), ("proxy",), ("noproxy",), ("rsc",),
         ("norsc",), ("l2miss",), ("nol2miss",), ("l3miss",), ("udpcsum",), ("noudpcsum",), ("group", v.address),
         ("srcport", v.number, v.number), ("external",), ("noexternal",), ("df", v.choice("set", "unset", "inherit", "x")), ("gbp",),
         ("gpe",), ("udp6zerocsumrx",), ("noudp6zerocsumtx",), ("remcsumtx",), ("remcsumrx",), ("flowlabel", v.number), ("vnifilter",)]
BOND = [("mode", v.choice("active-backup", "802.3ad", "0", "balance-rr", "balance-xor", "balance-alb", "x")), ("miimon", v.number),
        ("lacp_rate", v.choice("fast", "slow")), ("xmit_hash_policy", v.choice("layer2", "layer3+4", "encap2+3", "vlan+srcmac", "x")),
        ("min_links", v.small), ("arp_interval", v.number), ("arp_ip_target", v.address_4), ("primary", v.device), ("updelay", v.number),
        ("downdelay", v.number), ("use_carrier", v.bit), ("arp_validate", v.choice("none", "active", "all")), ("num_grat_arp", v.small),
        ("num_unsol_na", v.small), ("primary_reselect", v.choice("always", "better", "failure")), ("fail_over_mac", v.choice("none", "active", "follow")),
        ("ad_select", v.choice("stable", "bandwidth", "count")), ("all_slaves_active", v.bit), ("lp_interval", v.number),
        ("packets_per_slave", v.number), ("resend_igmp", v.small), ("tlb_dynamic_lb", v.bit), ("ad_actor_sys_prio", v.number),
        ("ad_user_port_key", v.number), ("ad_actor_system", v.mac), ("missed_max", v.small), ("peer_notify_delay", v.number)]
BOND_SLAVE = [("queue_id", v.small), ("prio", v.number)]
TUNNEL = [("local", v.address), ("remote", v.address), ("dev", v.device), ("ttl", v.ttl), ("tos", v.choice("inherit", "0x10", "x")),
          ("key", v.choice("5", "1.2.3.4", "x")), ("ikey", v.number), ("okey", v.number), ("nopmtudisc",), ("pmtudisc",), ("seq",), ("csum",),
          ("iseq",), ("ocsum",), ("external",), ("fwmark", v.number), ("ignore-df",), ("noignore-df",)]
TUNNEL_6 = [("local", v.address_6), ("remote", v.address_6), ("dev", v.device), ("hoplimit", v.ttl), ("encaplimit", v.choice("none", "4", "x")),
            ("tclass", v.choice("inherit", "0x10", "ff")), ("flowlabel", v.choice("inherit", "0xfffff", "1")), ("fwmark", v.number),
            ("mode", v.choice("ip6ip6", "ipip6", "any", "x")), ("dscp", "inherit"), ("allow-localremote",), ("external",)]
GENEVE = [("id", v.number), ("id", v.number), ("remote", v.address), ("remote", v.address), ("ttl", v.ttl), ("tos", v.tos), ("dstport", v.number),
          ("udpcsum",), ("noudpcsum",), ("external",), ("df", v.choice("set", "unset", "inherit")), ("flowlabel", v.number), ("innerprotoinherit",)]
VLAN = [("reorder_hdr", v.switch), ("gvrp", v.switch), ("mvrp", v.switch), ("loose_binding", v.switch), ("bridge_binding", v.switch),
        ("ingress-qos-map", v.choice("1:2", "0:7", "x")), ("egress-qos-map", v.choice("1:2", "0:7", "3:9"))]
MACSEC = [("sci", v.choice("1", "0102030405060708")), ("port", v.number), ("encrypt", v.switch), ("cipher", v.choice("gcm-aes-128", "gcm-aes-256", "default")),
          ("icvlen", v.small), ("validate", v.choice("strict", "check", "disabled")), ("replay", v.switch), ("window", v.number),
          ("protect", v.switch), ("end_station", v.switch), ("scb", v.switch), ("send_sci", v.switch), ("encodingsa", v.choice("0", "1", "2", "3"))]
IP_TUNNEL = [("mode", v.choice("gre", "ipip", "sit", "vti", "isatap", "x")), ("local", v.address_4), ("remote", v.address_4), ("ttl", v.ttl),
             ("tos", v.choice("inherit", "0x10")), ("key", v.number), ("ikey", v.number), ("okey", v.number), ("csum",), ("seq",),
             ("nopmtudisc",), ("dev", v.device)]

FORMS = [
    ("ip", "link", ("set", "set", "set", "change"), [("dev",), v.device, LINK_SET], 3),
    ("ip", "link", ("set", "set", "change"), [("dev",), v.device, LINK_BASIC], 3),
    ("ip", "link", ("set",), [v.device, v.choice("up", "up", "down")], 2),
    ("ip", "link", ("set",), [v.device, v.choice("master", "vrf"), v.choice("br0", "br0", "vrf0", "n0", "bond0")], 1),
    ("ip", "link", ("set",), [v.device, "nomaster"], 0.5),
    ("ip", "link", ("set",), [v.port, "type", "bridge_slave", BRIDGE_SLAVE], 2),
    ("ip", "link", ("set",), [v.device, "type", "bond_slave", BOND_SLAVE], 0.3),
    ("ip", "link", ("set",), ["br0", "type", "bridge", BRIDGE], 2),
    ("ip", "link", ("set",), ["vx0", "type", "vxlan", VXLAN], 1),
    ("ip", "link", ("set",), ["m0", "type", "macvlan", ("mode", v.choice("bridge", "vepa", "source")), ("flag", v.choice("promisc", "nopromisc"))], 0.5),
    ("ip", "link", ("set",), ["m0", "type", "macvlan", "macaddr", v.choice("add", "del", "flush", "set"), (v.mac,)], 0.3),
    ("ip", "link", ("set",), ["bond0", "type", "bond", BOND], 0.5),
    ("ip", "link", ("set",), [v.choice("v1.10", "v1.10", "v1"), "type", "vlan", VLAN], 0.5),
    ("ip", "link", ("add",), [("dev",), v.name, LINK_SET, "type", v.choice("bridge", "ifb", "dummy", "bogus", "vlan", "nlmon")], 1),
    ("ip", "link", ("add",), [("name",), v.name, LINK_BASIC, "type", v.choice("bridge", "ifb", "dummy", "ifb")], 2),
    ("ip", "link", ("add", "replace"), [v.name, "type", "bridge", BRIDGE], 1),
    ("ip", "link", ("add",), [v.name, "type", "veth", ("peer", ("name",), v.name)], 2),
    ("ip", "link", ("add",), [v.name, LINK_BASIC, "type", "veth", "peer", "name", v.name, LINK_BASIC], 1),
    ("ip", "link", ("add",), [v.name, "type", "vxlan", "id", v.number, VXLAN], 2),
    ("ip", "link", ("add",), ["link", v.device, "name", v.name, "type", "macvlan", ("mode", v.choice("bridge", "vepa", "private", "passthru"))], 1),
    ("ip", "link", ("add",), ["link", v.device, v.name, "type", "vlan", ("protocol", v.choice("802.1Q", "802.1ad")), ("id", v.vid), VLAN], 1),
    ("ip", "link", ("del", "delete"), [("dev",), v.device, ("type", v.choice("veth", "bridge", "bogus"))], 0.5),
    ("ip", "link", ("del",), [v.new_name], 2),
    ("ip", "link", ("property",), [v.choice("add", "del"), ("dev", v.device), "altname", v.choice("alt0", "alt1", "averyveryverylongname")], 1),
    ("ip", "link", ("show", "list", "lst", ""), [LINK_FILTER], 5),
    ("ip", "link", ("show",), [v.device], 2),
    ("ip", "link", ("show",), ["alt0"], 0.3),
    ("ip", "link", ("add",), [v.name, "type", "bond", BOND], 1),
    ("ip", "link", ("add",), [v.name, "type", v.choice("gre", "gretap", "ipip", "sit", "vti", "erspan"), TUNNEL], 1),
    ("ip", "link", ("add",), [v.name, "type", v.choice("ip6gre", "ip6gretap", "ip6tnl", "vti6", "ip6erspan"), TUNNEL_6], 1),
    ("ip", "link", ("add",), [v.name, "type", "geneve", GENEVE], 0.5),
    ("ip", "link", ("add",), [v.name, "type", "vrf", ("table", v.table)], 0.5),
    ("ip", "link", ("add",), ["link", v.device, v.name, "type", "macsec", MACSEC], 0.5),
    ("ip", "link", ("add",), ["link", v.device, v.name, "type", v.choice("ipvlan", "macvtap", "macvlan"), ("mode", v.choice("l2", "l3", "bridge", "vepa", "x")),
                              ("bcqueuelen", v.number)], 0.7),
    ("ip", "link", ("xstats", "afstats"), [("type", v.choice("bridge", "bridge_slave")), ("dev", v.device)], 0.2),
    ("ip", "tunnel", ("add", "add", "change", "del"), [v.name, IP_TUNNEL], 1),
    ("ip", "tunnel", ("show", ""), [(v.device,)], 0.5),
    ("ip", "tuntap", ("add", "add", "del"), [("dev", v.name), ("mode", v.choice("tun", "tap")), ("user", v.choice("0", "root", "x")), ("group", v.small),
                                             ("one_queue",), ("pi",), ("vnet_hdr",), ("multi_queue",)], 0.7),
    ("ip", "tuntap", ("show", ""), [], 0.3),
]
