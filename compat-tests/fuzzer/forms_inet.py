"""Forms of addresses, routes, rules, neighbours and nexthops; grammar.py says how a form is drawn."""

from . import values as v

STATE = v.choice("permanent", "reachable", "stale", "noarp", "none", "failed", "incomplete", "delay", "probe", "all", "0x80")
ROUTE_TYPE = v.choice("unicast", "blackhole", "unreachable", "prohibit", "local", "broadcast", "throw", "u", "multicast", "bl")
METRICS = [("mtu", v.number), ("mtu", "lock", v.number), ("advmss", v.number), ("hoplimit", v.number),
           ("rtt", v.choice("100", "1s", "20ms", "x", "1.5s")), ("rttvar", v.choice("10", "3ms", "1s")), ("window", v.number), ("cwnd", v.number),
           ("initcwnd", v.number), ("initrwnd", v.number), ("ssthresh", v.number), ("reordering", v.number), ("quickack", v.bit),
           ("fastopen_no_cookie", v.bit), ("rto_min", v.choice("5ms", "1s", "7")), ("cwnd", "lock", v.small),
           ("features", "ecn"), ("congctl", v.choice("cubic", "reno", "none")), ("congctl", "lock", "reno")]
ROUTE = [("via", v.address), ("via", v.address), ("dev", v.device), ("dev", v.device), ("table", v.table),
         ("proto", v.protocol), ("scope", v.scope), ("src", v.address), ("metric", v.small), ("tos", v.tos),
         ("onlink",), ("realms", v.choice("1", "1/2", "x", "0x3/4")), ("pref", v.choice("low", "medium", "high", "m")),
         ("expires", v.lifetime), ("nhid", v.small), *METRICS]
SOUND_ROUTE = [("table", v.choice("100", "main", "200", "7")), ("proto", v.choice("static", "bgp", "186", "zebra")), ("metric", v.small),
               ("onlink",), ("scope", v.choice("link", "global")), ("mtu", v.mtu), ("advmss", "1000"), ("initcwnd", "10"), ("tos", "0x10")]
HOPS = ["nexthop", ("via", v.address_4), ("dev", v.device), ("weight", v.small)]
FAMILY_VIA = ("via", v.choice("inet", "inet6", "inet6", "link", "x"), v.address)
SOUND_HOPS = ["nexthop", "via", v.choice("10.0.0.9", "10.1.0.9", "10.0.0.2", "2001:db8::9"), ("weight", v.choice("1", "2", "256", "7")), ("onlink",)]
# Never geneve_opts and its kin, which kill the host kernel's RTNL.
ENCAP = [("encap", "ip", "id", v.number, "dst", v.address_4, ("src", v.address_4), ("tos", v.tos), ("ttl", v.small)),
         ("encap", "ip", "id", v.number, "dst", v.address_4, ("key",), ("csum",), ("seq",)),
         ("encap", "ip6", ("id", v.number), "dst", v.address_6, ("src", v.address_6), ("hoplimit", v.small), ("tc", v.small)),
         ("encap", "seg6", "mode", v.choice("encap", "inline", "l2encap"), "segs", v.choice("2001:db8::1", "2001:db8::1,2001:db8::2", "x")),
         ("encap", "mpls", v.label, ("ttl", v.small))]
SOUND_ENCAP = v.OneOf((
    ("encap", "ip", "id", v.small, "dst", "10.0.0.2", ("src", "10.0.0.1"), ("tos", v.small), ("ttl", v.small), ("key",), ("csum",), ("seq",)),
    ("encap", "ip6", "id", v.small, "dst", "2001:db8::2", ("src", "2001:db8::1"), ("hoplimit", v.small), ("tc", v.small)),
    ("encap", "seg6", "mode", v.choice("encap", "inline"), "segs", v.choice("2001:db8::1", "2001:db8::1,2001:db8::2")),
    ("encap", "seg6local", "action", v.choice("End", "End.X", "End.DX4", "End.DT6"), ("nh6", "2001:db8::9"), ("nh4", "10.0.0.9"), ("table", v.small)),
    ("encap", "mpls", v.choice("100", "100/200"), ("ttl", "9"))))
ROUTE_FILTER = [("table", v.table), ("table", v.table), ("proto", v.protocol), ("scope", v.scope), ("type", ROUTE_TYPE),
                ("dev", v.device), ("via", v.prefix), ("src", v.prefix), ("root", v.prefix), ("match", v.prefix),
                ("exact", v.prefix), ("tos", v.tos), ("metric", v.small), ("vrf", v.device), ("cached",), ("from", v.prefix),
                ("realms", v.small), ("oif", v.device)]
ROUTE_GET = [("from", v.address), ("iif", v.device), ("oif", v.device), ("mark", v.number), ("tos", v.tos), ("vrf", v.device), ("fibmatch",),
             ("uid", v.number), ("ipproto", v.choice("tcp", "udp", "icmp", "17")), ("sport", v.number), ("dport", v.number), ("connected",), ("notify",)]
RULE = [("from", v.prefix), ("to", v.prefix), ("iif", v.device), ("oif", v.device), ("tos", v.tos),
        ("fwmark", v.choice("1", "0x2/0xff", "1/x", "0/0")), ("priority", v.number), ("pref", v.number), ("table", v.table),
        ("lookup", v.table), ("goto", v.number), ("suppress_prefixlength", v.small), ("suppress_ifgroup", v.group),
        ("uidrange", v.choice("0-100", "5-4", "1", "0-4294967295")), ("ipproto", v.choice("tcp", "udp", "6", "icmp", "x")),
        ("sport", v.choice("80", "1-10", "x")), ("dport", v.choice("443", "0", "5-5")), ("protocol", v.protocol), ("not",),
        ("l3mdev",), ("nop",), ("blackhole",), ("prohibit",), ("unreachable",), ("realms", v.small), ("tun_id", v.number),
        ("type", ROUTE_TYPE)]
RULE_FILTER = [("table", v.table), ("priority", v.number), ("from", v.prefix), ("to", v.prefix), ("iif", v.device), ("fwmark", v.choice("1", "0x2/0xff")),
               ("tos", v.tos), ("protocol", v.protocol), ("uidrange", "0-100"), ("ipproto", "tcp"), ("dport", "443"), ("l3mdev",)]
ADDRESS = [("dev", v.device), ("dev", v.device), ("peer", v.prefix), ("broadcast", v.choice("+", "-", "10.0.0.255", "x")),
           ("anycast", v.address_6), ("label", v.choice("v0:1", "v0", "v2:x", "lo:0", "bad")), ("scope", v.scope),
           ("valid_lft", v.lifetime), ("preferred_lft", v.lifetime), ("nodad",), ("noprefixroute",), ("home",), ("metric", v.small),
           ("mngtmpaddr",), ("autojoin",), ("proto", v.protocol), ("optimistic",), ("local", v.prefix)]
SOUND_ADDRESS = [("broadcast", v.choice("+", "-")), ("scope", v.choice("link", "global", "host")), ("valid_lft", "3600"), ("nodad",),
                 ("noprefixroute",), ("metric", v.small), ("label", v.choice("v0:1", "v1:x"))]
ADDRESS_FILTER = [("dev", v.device), ("scope", v.scope), ("to", v.prefix), ("up",), ("permanent",), ("dynamic",), ("secondary",),
                  ("primary",), ("tentative",), ("-tentative",), ("deprecated",), ("dadfailed",), ("label", v.choice("v0*", "lo", "*")),
                  ("type", v.choice("bridge", "veth", "bogus", "bridge_slave")), ("master", v.device), ("group", v.group),
                  ("vrf", v.device), ("home",), ("mngtmpaddr",), ("-dynamic",), ("nodad",), ("noprefixroute",), ("autojoin",)]
NEIGHBOR = [("lladdr", v.mac), ("lladdr", v.mac), ("dev", v.device), ("dev", v.device), ("nud", STATE), ("router",), ("proxy", v.address),
            ("protocol", v.protocol), ("use",), ("managed",), ("extern_learn",), ("to", v.address)]
NEIGHBOR_FILTER = [("dev", v.device), ("nud", STATE), ("to", v.prefix), ("unused",), ("proxy",), ("vrf", v.device), ("nomaster",),
                   ("master", v.device), ("protocol", v.protocol), ("router",)]
NEXTHOP = [("via", v.address), ("via", v.address), ("dev", v.device), ("dev", v.device), ("blackhole",), ("fdb",), ("onlink",),
           ("group", v.choice("1", "1/2", "1,3/2,5", "7", "x", "1,0")), ("type", v.choice("mpath", "resilient", "x")),
           ("proto", v.protocol), ("buckets", v.small), ("idle_timer", v.number), ("unbalanced_timer", v.number), ("scope", v.scope)]
NEXTHOP_FILTER = [("dev", v.device), ("id", v.small), ("groups",), ("master", v.device), ("vrf", v.device), ("proto", v.protocol), ("fdb",)]
METRICS_PREFIX = ["192.0.2.0/24", "via", "10.0.0.9"]

FORMS = [
    ("ip", "address", ("add", "replace", "change", "del"), [("local",), v.prefix, ADDRESS], 4),
    ("ip", "address", ("add", "add", "replace", "del"), [v.prefix, SOUND_ADDRESS, "dev", v.device], 3),
    ("ip", "address", ("add", "del"), [v.prefix, "dev", v.device], 3),
    ("ip", "address", ("show", "list", ""), [ADDRESS_FILTER], 5),
    ("ip", "address", ("show",), [v.device], 2),
    ("ip", "address", ("flush",), [ADDRESS_FILTER, "dev", v.device], 0.5),
    ("ip", "route", ("add", "replace", "append", "change", "del", "prepend", "test"), [(ROUTE_TYPE,), v.prefix, ROUTE], 4),
    ("ip", "route", ("add", "replace", "del"), [v.prefix, ("via", v.address), "dev", v.device, ("metric", v.small)], 3),
    ("ip", "route", ("add", "replace", "append", "prepend", "change"), [v.prefix_4, "via", v.choice("10.0.0.9", "10.1.0.9"), SOUND_ROUTE], 2),
    ("ip", "route", ("add", "replace", "append"), [v.prefix_6, "via", v.choice("2001:db8::9", "2001:db8::2"), SOUND_ROUTE], 2),
    ("ip", "route", ("add", "replace"), [v.prefix, "nhid", v.choice("1", "2", "3", "4", "9"), SOUND_ROUTE], 1),
    ("ip", "route", ("add", "replace", "del"), [v.prefix, *HOPS, *HOPS], 1),
    ("ip", "route", ("add", "replace", "append"), [v.prefix, SOUND_ROUTE, *SOUND_HOPS, *SOUND_HOPS], 1),
    ("ip", "route", ("show", "list", "", "lst"), [ROUTE_FILTER], 5),
    ("ip", "route", ("show",), [v.prefix], 1),
    ("ip", "route", ("show",), ["table", v.choice("all", "all", "100", "local")], 1),
    ("ip", "route", ("get",), [v.address, ROUTE_GET], 3),
    ("ip", "route", ("flush",), [ROUTE_FILTER], 0.5),
    ("ip", "route", ("add", "replace", "append"), [v.prefix, ENCAP, "dev", v.device], 1),
    ("ip", "route", ("add", "replace", "append"), [v.prefix_4, SOUND_ENCAP, "via", "10.0.0.9", SOUND_ROUTE], 0.7),
    ("ip", "route", ("add", "replace", "append"), [v.prefix_6, SOUND_ENCAP, "via", "2001:db8::9", SOUND_ROUTE], 0.7),
    ("ip", "route", ("add", "replace"), [v.prefix_4, "nexthop", SOUND_ENCAP, "via", "10.0.0.9", *SOUND_HOPS, SOUND_ENCAP], 0.4),
    ("ip", "route", ("add", "replace", "del"), [v.prefix_4, FAMILY_VIA, "dev", v.device, SOUND_ROUTE], 0.5),
    ("ip", "-M route", ("add", "replace", "del"), [v.label, ("as", ("to",), v.label), FAMILY_VIA, ("dev", v.device), ("proto", v.protocol)], 0.6),
    ("ip", "-M route", ("add", "replace"), [v.choice("100", "200", "300"), "via", v.choice("inet", "inet6"), v.choice("10.0.0.9", "2001:db8::9"), "dev", "v1"], 0.3),
    ("ip", "-M route", ("show", "get", ""), [v.label], 0.3),
    ("ip", "-f mpls route", ("show",), [("dev", v.device), ("table", v.table)], 0.2),
    ("ip", "route", ("replace", "add"), [*METRICS_PREFIX, METRICS], 1),
    ("ip", "rule", ("add", "del"), [RULE], 4),
    ("ip", "-6 rule", ("add", "del"), [RULE], 1),
    ("ip", "rule", ("show", "list", ""), [RULE_FILTER], 3),
    ("ip", "rule", ("flush",), [("protocol", v.protocol)], 0.2),
    ("ip", "nexthop", ("add", "replace", "del"), ["id", v.small, NEXTHOP], 2),
    ("ip", "nexthop", ("add", "replace"), ["id", v.small, "via", v.choice("10.0.0.9", "2001:db8::9"), "dev", "v1", ("proto", v.protocol)], 1),
    ("ip", "nexthop", ("add", "replace"), ["id", v.small, SOUND_ENCAP, "via", "10.0.0.9", "dev", "v1"], 0.4),
    ("ip", "nexthop", ("add", "replace"), ["id", v.small, "group", "1/2", "type", "resilient", ("buckets", v.choice("4", "8")), ("idle_timer", v.small),
                                           ("unbalanced_timer", v.small)], 0.3),
    ("ip", "nexthop", ("add", "replace"), ["id", v.small, "group", v.choice("1/2", "1,3/2,5", "2", "1"), ("type", v.choice("mpath", "resilient"))], 1),
    ("ip", "nexthop", ("show", "list", ""), [NEXTHOP_FILTER], 2),
    ("ip", "nexthop", ("get", "show"), ["id", v.small], 1),
    ("ip", "nexthop", ("bucket",), [v.choice("show", "list", ""), ("id", v.small), ("dev", v.device), ("nhid", v.small)], 0.5),
    ("ip", "nexthop", ("flush",), [NEXTHOP_FILTER], 0.2),
    ("ip", "neighbor", ("add", "replace", "change", "del"), [v.address, NEIGHBOR], 3),
    ("ip", "neighbor", ("add", "replace", "del"), [v.address, "lladdr", v.mac, "dev", v.device, ("nud", STATE)], 3),
    ("ip", "neighbor", ("add", "del"), ["proxy", v.address, "dev", v.device], 0.5),
    ("ip", "neighbor", ("show", "list", ""), [NEIGHBOR_FILTER], 4),
    ("ip", "neighbor", ("get",), [v.address, "dev", v.device, ("proxy",)], 1),
    ("ip", "neighbor", ("flush",), [NEIGHBOR_FILTER], 0.7),
]
