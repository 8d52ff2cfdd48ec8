"""Command lines of ip and bridge from a grammar: right ones, abbreviated ones, wrong ones.

A form is a list of items, each drawn in turn: a string is a keyword, a function a value, a tuple an item that is there
half of the time, and a list a set of items of which any number come, in any order.
"""

import shlex

from . import values as v
from .values import Chance

STATE = v.choice("permanent", "reachable", "stale", "noarp", "none", "failed", "incomplete", "delay", "probe", "all", "0x80")
ROUTE_TYPE = v.choice("unicast", "blackhole", "unreachable", "prohibit", "local", "broadcast", "throw", "u", "multicast", "bl")
METRICS = [("mtu", v.number), ("mtu", "lock", v.number), ("advmss", v.number), ("hoplimit", v.number),
           ("rtt", v.choice("100", "1s", "20ms", "x", "1.5s")), ("window", v.number), ("cwnd", v.number),
           ("initcwnd", v.number), ("ssthresh", v.number), ("quickack", v.bit), ("rto_min", v.choice("5ms", "1s", "7")),
           ("features", "ecn"), ("congctl", v.choice("cubic", "reno", "none"))]
ROUTE = [("via", v.address), ("via", v.address), ("dev", v.device), ("dev", v.device), ("table", v.table),
         ("proto", v.protocol), ("scope", v.scope), ("src", v.address), ("metric", v.small), ("tos", v.tos),
         ("onlink",), ("realms", v.choice("1", "1/2", "x", "0x3/4")), ("pref", v.choice("low", "medium", "high", "m")),
         ("expires", v.lifetime), ("nhid", v.small), *METRICS]
HOPS = ["nexthop", ("via", v.address_4), ("dev", v.device), ("weight", v.small)]
ROUTE_FILTER = [("table", v.table), ("table", v.table), ("proto", v.protocol), ("scope", v.scope), ("type", ROUTE_TYPE),
                ("dev", v.device), ("via", v.prefix), ("src", v.prefix), ("root", v.prefix), ("match", v.prefix),
                ("exact", v.prefix), ("tos", v.tos), ("metric", v.small), ("vrf", v.device), ("cached",), ("from", v.prefix),
                ("realms", v.small), ("oif", v.device)]
RULE = [("from", v.prefix), ("to", v.prefix), ("iif", v.device), ("oif", v.device), ("tos", v.tos),
        ("fwmark", v.choice("1", "0x2/0xff", "1/x", "0/0")), ("priority", v.number), ("pref", v.number), ("table", v.table),
        ("lookup", v.table), ("goto", v.number), ("suppress_prefixlength", v.small), ("suppress_ifgroup", v.group),
        ("uidrange", v.choice("0-100", "5-4", "1", "0-4294967295")), ("ipproto", v.choice("tcp", "udp", "6", "icmp", "x")),
        ("sport", v.choice("80", "1-10", "x")), ("dport", v.choice("443", "0", "5-5")), ("protocol", v.protocol), ("not",),
        ("l3mdev",), ("nop",), ("blackhole",), ("prohibit",), ("unreachable",), ("realms", v.small), ("tun_id", v.number),
        ("type", ROUTE_TYPE)]
ADDRESS = [("dev", v.device), ("dev", v.device), ("peer", v.prefix), ("broadcast", v.choice("+", "-", "10.0.0.255", "x")),
           ("anycast", v.address_6), ("label", v.choice("v0:1", "v0", "v2:x", "lo:0", "bad")), ("scope", v.scope),
           ("valid_lft", v.lifetime), ("preferred_lft", v.lifetime), ("nodad",), ("noprefixroute",), ("home",), ("metric", v.small),
           ("mngtmpaddr",), ("autojoin",), ("proto", v.protocol), ("optimistic",), ("local", v.prefix)]
ADDRESS_FILTER = [("dev", v.device), ("scope", v.scope), ("to", v.prefix), ("up",), ("permanent",), ("dynamic",), ("secondary",),
                  ("primary",), ("tentative",), ("-tentative",), ("deprecated",), ("dadfailed",), ("label", v.choice("v0*", "lo", "*")),
                  ("type", v.choice("bridge", "veth", "bogus", "bridge_slave")), ("master", v.device), ("group", v.group),
                  ("vrf", v.device), ("home",), ("mngtmpaddr",), ("-dynamic",)]
LINK_SET = [("up",), ("down",), ("mtu", v.number), ("address", v.mac), ("broadcast", v.mac), ("txqueuelen", v.number), ("master", v.device),
            ("nomaster",), ("alias", v.choice("text", "two words", "", "x")), ("arp", v.switch), ("multicast", v.switch),
            ("allmulticast", v.switch), ("promisc", v.switch), ("dynamic", v.switch), ("trailers", v.switch), ("group", v.group),
            ("name", v.name), ("addrgenmode", v.choice("eui64", "none", "random", "stable_secret")), ("protodown", v.switch),
            ("carrier", v.switch), ("mode", v.choice("default", "dormant", "x")), ("state", v.choice("up", "down", "dormant", "x")),
            ("gso_max_size", v.number), ("gso_max_segs", v.number), ("gro_max_size", v.number), ("numtxqueues", v.small),
            ("link", v.device), ("index", v.number), ("vrf", v.device), ("protodown_reason", v.small, v.switch)]
LINK_FILTER = [("dev", v.device), ("dev", v.device), ("up",), ("master", v.device), ("group", v.group), ("vrf", v.device),
               ("type", v.choice("bridge", "veth", "vxlan", "macvlan", "bridge_slave", "vlan", "bogus", "ifb")), ("novf",)]
BRIDGE_OPTIONS = [("stp_state", v.bit), ("ageing_time", v.number), ("forward_delay", v.number), ("hello_time", v.number),
                  ("max_age", v.number), ("priority", v.number), ("vlan_default_pvid", v.number), ("group_fwd_mask", v.number),
                  ("mcast_snooping", v.bit), ("mcast_querier", v.bit), ("mcast_router", v.small), ("mcast_hash_max", v.number),
                  ("mcast_query_interval", v.number), ("nf_call_iptables", v.bit), ("no_linklocal_learn", v.bit),
                  ("group_address", v.choice("01:80:c2:00:00:04", "02:00:00:00:00:01")), ("fdb_flush",), ("vlan_stats_enabled", v.bit)]
SLAVE_OPTIONS = [("state", v.small), ("cost", v.number), ("priority", v.number), ("hairpin", v.switch), ("guard", v.switch),
                 ("root_block", v.switch), ("fastleave", v.switch), ("learning", v.switch), ("flood", v.switch),
                 ("mcast_flood", v.switch), ("bcast_flood", v.switch), ("isolated", v.switch), ("proxy_arp", v.switch),
                 ("neigh_suppress", v.switch), ("vlan_tunnel", v.switch), ("mcast_router", v.small), ("group_fwd_mask", v.number),
                 ("backup_port", v.device), ("nobackup_port",), ("locked", v.switch), ("fdb_flush",), ("mcast_to_unicast", v.switch)]
VXLAN_OPTIONS = [("local", v.address), ("remote", v.address), ("dev", v.device), ("dstport", v.number), ("ttl", v.number),
                 ("tos", v.tos), ("ageing", v.number), ("maxaddress", v.number), ("learning",), ("nolearning",), ("proxy",), ("rsc",),
                 ("l2miss",), ("udpcsum",), ("noudpcsum",), ("group", v.address), ("srcport", v.number, v.number), ("external",),
                 ("df", v.choice("set", "unset", "inherit", "x")), ("gbp",), ("udp6zerocsumrx",), ("flowlabel", v.number)]
FDB = [("dev", v.port), ("dev", v.port), ("master",), ("self",), ("static",), ("local",), ("permanent",), ("dynamic",), ("dst", v.address),
       ("vlan", v.vid), ("vni", v.number), ("port", v.number), ("via", v.device), ("use",), ("sticky",), ("extern_learn",),
       ("router",), ("src_vni", v.number), ("temp",)]
FDB_FILTER = [("dev", v.port), ("br", v.device), ("brport", v.port), ("vlan", v.vid), ("state", STATE), ("dynamic",)]
NEIGHBOR = [("lladdr", v.mac), ("lladdr", v.mac), ("dev", v.device), ("dev", v.device), ("nud", STATE), ("router",), ("proxy", v.address),
            ("protocol", v.protocol), ("use",), ("managed",), ("extern_learn",), ("to", v.address)]
NEIGHBOR_FILTER = [("dev", v.device), ("nud", STATE), ("proxy",), ("to", v.prefix), ("unused",), ("master", v.device), ("vrf", v.device),
                   ("nomaster",), ("protocol", v.protocol), ("router",)]
VLAN = [("vid", v.vid), ("vid", v.vid), ("dev", v.port), ("dev", v.port), ("pvid",), ("untagged",), ("self",), ("master",), ("tunnel_info",)]

NEXTHOP = [("via", v.address), ("via", v.address), ("dev", v.device), ("dev", v.device), ("blackhole",), ("fdb",), ("onlink",),
           ("group", v.choice("1", "1/2", "1,3/2,5", "7", "x", "1,0")), ("type", v.choice("mpath", "resilient", "x")),
           ("proto", v.protocol), ("buckets", v.small), ("idle_timer", v.number), ("scope", v.scope)]
NEXTHOP_FILTER = [("dev", v.device), ("id", v.small), ("groups",), ("master", v.device), ("vrf", v.device), ("proto", v.protocol), ("fdb",)]
BOND_OPTIONS = [("mode", v.choice("active-backup", "802.3ad", "0", "balance-rr", "x")), ("miimon", v.number), ("lacp_rate", v.choice("fast", "slow")),
                ("xmit_hash_policy", v.choice("layer2", "layer3+4", "x")), ("min_links", v.small), ("arp_interval", v.number),
                ("arp_ip_target", v.address_4), ("primary", v.device), ("updelay", v.number), ("num_grat_arp", v.small)]
TUNNEL_OPTIONS = [("local", v.address), ("remote", v.address), ("dev", v.device), ("ttl", v.choice("64", "inherit", "0", "256", "x")),
                  ("tos", v.choice("inherit", "0x10", "x")), ("key", v.choice("5", "1.2.3.4", "x")), ("ikey", v.number), ("okey", v.number),
                  ("nopmtudisc",), ("pmtudisc",), ("seq",), ("csum",), ("external",), ("fwmark", v.number), ("ignore-df",)]
MDB = [("dev", v.choice("br0", "br0", "v0")), ("port", v.port), ("port", v.port), ("grp", v.choice("239.1.1.1", "ff02::db8", "10.0.0.1", "02:00:00:00:00:01")),
       ("permanent",), ("temp",), ("vid", v.vid), ("src", v.address), ("proto", v.protocol)]
ENCAP = [("encap", "ip", "id", v.number, "dst", v.address_4), ("encap", "ip6", "dst", v.address_6, "hoplimit", v.small),
         ("encap", "seg6", "mode", v.choice("encap", "inline"), "segs", v.choice("2001:db8::1", "2001:db8::1,2001:db8::2", "x")),
         ("encap", "mpls", v.choice("100", "100/200", "x"))]
METRICS_PREFIX = ["192.0.2.0/24", "via", "10.0.0.9"]

# (tool, object, verbs, form, weight). What a verb refuses is as good a test as what it takes.
FORMS = [
    ("ip", "link", ("set", "set", "set", "change"), [("dev",), v.device, LINK_SET], 6),
    ("ip", "link", ("set",), [v.device, "type", "bridge_slave", SLAVE_OPTIONS], 2),
    ("ip", "link", ("set",), ["br0", "type", "bridge", BRIDGE_OPTIONS], 2),
    ("ip", "link", ("set",), ["vx0", "type", "vxlan", VXLAN_OPTIONS], 1),
    ("ip", "link", ("add",), [("dev",), v.name, LINK_SET, "type", v.choice("bridge", "ifb", "dummy", "bogus", "vlan", "nlmon")], 2),
    ("ip", "link", ("add", "replace"), [v.name, "type", "bridge", BRIDGE_OPTIONS], 1),
    ("ip", "link", ("add",), [v.name, "type", "veth", ("peer", ("name",), v.name)], 2),
    ("ip", "link", ("add",), [v.name, "type", "vxlan", ("id", v.number), VXLAN_OPTIONS], 2),
    ("ip", "link", ("add",), ["link", v.device, "name", v.name, "type", "macvlan", ("mode", v.choice("bridge", "vepa", "private", "passthru"))], 1),
    ("ip", "link", ("add",), ["link", v.device, v.name, "type", "vlan", ("protocol", v.choice("802.1Q", "802.1ad")), ("id", v.vid)], 1),
    ("ip", "link", ("del", "delete"), [("dev",), v.device, ("type", v.choice("veth", "bridge", "bogus"))], 1),
    ("ip", "link", ("property",), [v.choice("add", "del"), ("dev", v.device), "altname", v.choice("alt0", "alt1", "averyveryverylongname")], 1),
    ("ip", "link", ("show", "list", "lst", ""), [LINK_FILTER], 5),
    ("ip", "link", ("show",), [v.device], 2),
    ("ip", "address", ("add", "replace", "change", "del"), [("local",), v.prefix, ADDRESS], 6),
    ("ip", "address", ("add", "del"), [v.prefix, "dev", v.device], 3),
    ("ip", "address", ("show", "list", ""), [ADDRESS_FILTER], 5),
    ("ip", "address", ("show",), [v.device], 2),
    ("ip", "address", ("flush",), [ADDRESS_FILTER, "dev", v.device], 1),
    ("ip", "route", ("add", "replace", "append", "change", "del", "prepend", "test"), [(ROUTE_TYPE,), v.prefix, ROUTE], 6),
    ("ip", "route", ("add", "replace", "del"), [v.prefix, ("via", v.address), "dev", v.device, ("metric", v.small)], 4),
    ("ip", "route", ("add", "replace", "del"), [v.prefix, HOPS, *HOPS, *HOPS], 1),
    ("ip", "route", ("show", "list", "", "lst"), [ROUTE_FILTER], 5),
    ("ip", "route", ("show",), [v.prefix], 1),
    ("ip", "route", ("get",), [v.address, [("from", v.address), ("iif", v.device), ("oif", v.device), ("mark", v.number), ("tos", v.tos),
                                           ("vrf", v.device), ("fibmatch",), ("uid", v.number), ("ipproto", "tcp"), ("sport", v.number)]], 3),
    ("ip", "route", ("flush",), [ROUTE_FILTER], 1),
    ("ip", "rule", ("add", "del"), [RULE], 4),
    ("ip", "rule", ("show", "list", ""), [[("table", v.table), ("priority", v.number), ("from", v.prefix), ("iif", v.device)]], 3),
    ("ip", "rule", ("flush",), [("protocol", v.protocol)], 0.2),
    ("ip", "route", ("add", "replace", "append"), [v.prefix, ENCAP, "dev", v.device], 0.5),
    ("ip", "route", ("replace", "add"), [*METRICS_PREFIX, METRICS], 1),
    ("ip", "nexthop", ("add", "replace", "del"), ["id", v.small, NEXTHOP], 2),
    ("ip", "nexthop", ("show", "list", ""), [NEXTHOP_FILTER], 2),
    ("ip", "nexthop", ("get", "show"), ["id", v.small], 1),
    ("ip", "nexthop", ("flush",), [NEXTHOP_FILTER], 0.3),
    ("ip", "maddress", ("show", "add", "del"), [v.mac, ("dev", v.device)], 0.5),
    ("ip", "maddress", ("show", ""), [("dev", v.device)], 0.5),
    ("ip", "addrlabel", ("add", "del", "show", ""), [("prefix", v.prefix), ("dev", v.device), ("label", v.number)], 0.5),
    ("ip", "netconf", ("show", ""), [("dev", v.device)], 0.5),
    ("ip", "token", ("set", "show", ""), [v.address_6, ("dev", v.device)], 0.5),
    ("ip", "vrf", ("show", ""), [v.device], 0.3),
    ("ip", "ntable", ("show", ""), [("dev", v.device), ("name", v.choice("arp_cache", "ndisc_cache", "x"))], 0.3),
    ("ip", "link", ("add",), [v.name, "type", "bond", BOND_OPTIONS], 0.5),
    ("ip", "link", ("add",), [v.name, "type", v.choice("gre", "gretap", "ipip", "sit", "vti", "ip6gre", "ip6tnl"), TUNNEL_OPTIONS], 1),
    ("ip", "link", ("add",), [v.name, "type", "geneve", [("id", v.number), ("remote", v.address), ("ttl", v.small), ("dstport", v.number)]], 0.5),
    ("ip", "link", ("add",), [v.name, "type", "vrf", ("table", v.table)], 0.5),
    ("ip", "link", ("add",), ["link", v.device, v.name, "type", v.choice("ipvlan", "macvtap", "macvlan"), ("mode", v.choice("l2", "l3", "bridge", "vepa", "x"))], 0.5),
    ("ip", "link", ("xstats", "afstats"), [("type", v.choice("bridge", "bridge_slave")), ("dev", v.device)], 0.3),
    ("ip", "neighbor", ("add", "replace", "change", "del"), [v.address, NEIGHBOR], 4),
    ("ip", "neighbor", ("add", "replace", "del"), [v.address, "lladdr", v.mac, "dev", v.device, ("nud", STATE)], 3),
    ("ip", "neighbor", ("show", "list", ""), [NEIGHBOR_FILTER], 4),
    ("ip", "neighbor", ("get",), [v.address, "dev", v.device, ("proxy",)], 1),
    ("ip", "neighbor", ("flush",), [NEIGHBOR_FILTER], 1),
    ("bridge", "link", ("set",), ["dev", v.port, SLAVE_OPTIONS, ("self",), ("master",)], 3),
    ("bridge", "link", ("show", "list", ""), [("dev", v.port)], 3),
    ("bridge", "fdb", ("add", "append", "replace", "del"), [v.mac, FDB], 3),
    ("bridge", "fdb", ("add", "append", "replace", "del"), [v.mac, "dev", v.port, v.choice("master", "self"), ("static",)], 3),
    ("bridge", "fdb", ("add", "append", "del"), [v.mac, "dev", "vx0", "dst", v.address, FDB], 1),
    ("bridge", "fdb", ("show", "list", ""), [FDB_FILTER], 3),
    ("bridge", "fdb", ("get",), [v.mac, FDB], 1),
    ("bridge", "fdb", ("flush",), ["dev", v.port, [("vlan", v.vid), ("brport", v.port), ("self",), ("master",), ("permanent",)]], 0.3),
    ("bridge", "mdb", ("add", "del", "replace"), [MDB], 1),
    ("bridge", "mdb", ("show", ""), [("dev", v.device), ("vid", v.vid)], 1),
    ("bridge", "vni", ("show", "add", "del"), [("dev", "vx0"), ("vni", v.number)], 0.3),
    ("bridge", "vlan", ("add", "del"), [VLAN], 1),
    ("bridge", "vlan", ("global", "tunnelshow"), [("dev", v.port), ("vid", v.vid)], 0.3),
    ("bridge", "vlan", ("show", ""), [("dev", v.port), ("vid", v.vid)], 2),
    ("bridge", "vlan", ("set",), [VLAN, ("state", v.small)], 0.3),
]
WEIGHTS = [form[-1] for form in FORMS]

SHOW_OPTIONS = ("-j", "-j", "-p", "-d", "-d", "-s", "-s", "-o", "-br", "-4", "-6", "-N", "-h", "-iec", "-json", "-details", "-oneline",
                "-stats", "-pretty", "-f inet", "-family inet6", "-c", "-c", "-c=always", "-c=auto", "-color=never", "-0", "-brief", "--json", "-human",
                "-family bridge", "-a", "-t", "-ts", "-l 3", "-rc 100000", "-n nope", "-M", "-B", "-iec -h", "-fo")
BRIDGE_OPTIONS_BEFORE = ("-j", "-j", "-p", "-d", "-s", "-o", "-compressvlans", "-com", "-4", "-6", "-c", "-c=always", "-c=auto", "-t", "-n nope")


def _draw(item, chance: Chance, words: list[str]):
    if isinstance(item, str):
        words.append(item[:chance.randint(1, len(item))] if len(item) > 2 and chance.often(0.06) else item)
    elif callable(item):
        words.append(item(chance))
    elif isinstance(item, tuple):
        if chance.often(0.5):
            for part in item:
                _draw(part, chance, words)
    else:
        for group in chance.sample(item, min(len(item), chance.choices((0, 1, 2, 3, 4), (2, 5, 4, 2, 1))[0])):
            for part in group if isinstance(group, tuple) else (group,):
                _draw(part, chance, words)


def _spoil(words: list[str], chance: Chance):
    """What a typing error does: a word lost, doubled, swapped or strange. The object stays: `ip monitor` never ends."""
    if len(words) < 2:
        return
    position = chance.randrange(1, len(words))
    what = chance.randrange(4)
    if what == 0:
        del words[position]
    elif what == 1:
        words.insert(position, words[position])
    elif what == 2:
        other = chance.randrange(1, len(words))
        words[position], words[other] = words[other], words[position]
    else:
        words.insert(position, chance.of("help", "x", "", "-j", "dev", "--", "on", "lo", "type", "é", "a b"))


def command(chance: Chance) -> str:
    tool, thing, verbs, form, _ = chance.choices(FORMS, WEIGHTS)[0]
    verb = chance.choice(verbs)
    words = [thing[:chance.randint(2 if thing == "rule" else 1, len(thing))] if chance.often(0.15) else thing]
    if verb:
        words.append(verb[:chance.randint(1, len(verb))] if chance.often(0.12) else verb)
        for item in form:
            _draw(item, chance, words)
    if chance.often(0.03):
        _spoil(words, chance)
    options = []
    shows = verb in ("show", "list", "lst", "", "get")
    if chance.often(0.6 if shows else 0.1):
        pool = BRIDGE_OPTIONS_BEFORE if tool == "bridge" else SHOW_OPTIONS
        for _ in range(chance.randint(1, 3)):
            options += chance.choice(pool).split()
    if tool == "ip" and "-4" not in options and any(":" in word for word in words) and chance.often(0.5):
        options.append("-6")
    return shlex.join([tool, *options, *words])


def line(chance: Chance) -> str:
    """A command, now and then within a shell line."""
    text = command(chance)
    if chance.often(0.9):
        return text
    second = command(chance)
    return chance.of(f"{text} && {second}", f"{text} || {second}", f"{text}; {second}", f"{text} 2>&1", f"{text} 2>/dev/null",
                     f"{text}; echo $?", f"! {text}", f"{text} | grep -c v0", f"{text} | head -n 3", f"( {text}; {second} ) 2>&1",
                     f"{text} | awk '{{print $2}}'", f"if {text}; then echo yes; else {second}; fi", f"{text} >/dev/null && echo ok")
