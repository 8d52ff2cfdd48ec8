"""Forms of the smaller objects of `ip`: network namespaces, statistics, tables, labels; grammar.py says how a form is drawn.

`ip netns exec`, `pids` and `monitor` are missing: they run programs, print pids, or never end."""

from . import values as v

GROUP = v.choice("link", "offload", "xstats", "xstats_slave", "afstats", "x")
SUBGROUP = v.choice("bridge", "bond", "stp", "mcast", "cpu_hit", "hw_stats_info", "l3_stats", "mpls", "x")
NTABLE = [
    ("queue", v.small),
    ("app_probes", v.small),
    ("mcast_probes", v.small),
    ("ucast_probes", v.small),
    ("proxy_queue", v.small),
    ("locktime", v.number),
    ("retrans", v.number),
    ("base_reachable", v.choice("30000", "1000")),
    ("anycast_delay", v.number),
    ("delay_probe", v.number),
    ("proxy_delay", v.number),
    ("gc_stale", v.number),
    ("thresh1", v.small),
]
NAMESPACE = v.choice("blue", "blue", "n9", "nope")

FORMS = [
    ("ip", "maddress", ("show", "add", "del"), [v.mac, ("dev", v.device)], 0.3),
    ("ip", "maddress", ("add", "del"), [v.choice("33:33:00:00:00:05", "01:00:5e:00:00:01"), "dev", v.device], 0.3),
    ("ip", "maddress", ("show", ""), [("dev", v.device)], 0.3),
    ("ip", "addrlabel", ("add", "del", "show", ""), [("prefix", v.prefix), ("dev", v.device), ("label", v.number)], 0.3),
    ("ip", "addrlabel", ("add", "del"), ["prefix", v.prefix_6, "label", v.small], 0.3),
    ("ip", "addrlabel", ("flush", "list"), [], 0.1),
    ("ip", "netconf", ("show", ""), [("dev", v.device)], 0.4),
    ("ip", "token", ("set", "show", "del", ""), [v.address_6, ("dev", v.device)], 0.3),
    ("ip", "token", ("set", "get", "list"), [("dev", v.device)], 0.2),
    ("ip", "vrf", ("show", ""), [v.device], 0.2),
    ("ip", "vrf", ("show", ""), [], 0.2),
    ("ip", "ntable", ("show", ""), [("dev", v.device), ("name", v.choice("arp_cache", "ndisc_cache", "x"))], 0.3),
    ("ip", "ntable", ("change",), ["name", v.choice("arp_cache", "ndisc_cache"), ("dev", v.device), NTABLE], 0.3),
    ("ip", "stats", ("show", ""), [("dev", v.device), ("group", GROUP, ("subgroup", SUBGROUP))], 0.6),
    ("ip", "stats", ("set",), ["dev", v.device, "l3_stats", v.switch], 0.2),
    ("ip", "netns", ("list", "show", "list-id", ""), [], 0.3),
    ("ip", "netns", ("add", "del"), [NAMESPACE], 0.3),
    ("ip", "netns", ("set",), [NAMESPACE, v.choice("7", "8", "auto", "x")], 0.2),
    ("ip", "netns", ("list-id",), [("target-nsid", v.small), ("nsid", v.small)], 0.2),
]
