"""Forms of `bridge`; grammar.py says how a form is drawn."""

from . import forms_kinds as kinds
from . import values as v
from .forms_inet import STATE

PORT = [
    *kinds.PORT,
    ("learning_sync", v.switch),
    ("hwmode", v.choice("veb", "vepa", "x")),
]
FDB = [
    ("dev", v.port),
    ("dev", v.port),
    ("master",),
    ("self",),
    ("static",),
    ("local",),
    ("permanent",),
    ("dynamic",),
    ("dst", v.address),
    ("vlan", v.vid),
    ("vni", v.number),
    ("port", v.number),
    ("via", v.device),
    ("use",),
    ("sticky",),
    ("extern_learn",),
    ("router",),
    ("src_vni", v.number),
    ("temp",),
    ("nhid", v.small),
]
FDB_FILTER = [("dev", v.port), ("br", v.device), ("brport", v.port), ("vlan", v.vid), ("state", STATE), ("dynamic",)]
VLAN = [
    ("dev", v.port),
    ("dev", v.port),
    ("vid", v.vid),
    ("vid", v.vid),
    ("pvid",),
    ("untagged",),
    ("self",),
    ("master",),
    ("tunnel_info", "id", v.small),
]
VLAN_OPTIONS = [("state", v.small), ("mcast_router", v.small)]
GLOBAL = [
    ("mcast_snooping", v.bit),
    ("mcast_querier", v.bit),
    ("mcast_igmp_version", v.choice("2", "3")),
    ("mcast_mld_version", v.choice("1", "2")),
    ("mcast_last_member_count", v.number),
    ("mcast_startup_query_count", v.number),
    ("mcast_query_interval", v.number),
    ("msti", v.small),
]
MDB = [
    ("permanent",),
    ("temp",),
    ("vid", v.vid),
    ("src", v.address),
    ("proto", v.protocol),
    ("filter_mode", v.choice("include", "exclude", "x")),
    ("source_list", v.choice("10.0.0.5", "10.0.0.5/10.0.0.6")),
]
GROUP = v.choice("239.1.1.1", "239.1.1.2", "ff02::db8", "10.0.0.1", "02:00:00:00:00:01")

FORMS = [
    ("bridge", "link", ("set",), ["dev", v.port, PORT, ("self",), ("master",)], 3),
    ("bridge", "link", ("show", "list", ""), [("dev", v.port)], 3),
    ("bridge", "fdb", ("add", "append", "replace", "del"), [v.mac, FDB], 2),
    (
        "bridge",
        "fdb",
        ("add", "append", "replace", "del"),
        [v.mac, "dev", v.port, v.choice("master", "self"), ("static",), ("vlan", v.vid)],
        3,
    ),
    ("bridge", "fdb", ("add", "append", "del"), [v.mac, "dev", "vx0", "dst", v.address, FDB], 1),
    (
        "bridge",
        "fdb",
        ("append", "append", "del"),
        [v.choice("00:00:00:00:00:00", "02:00:00:00:00:11"), "dev", "vx0", "dst", v.address, ("vni", v.small), ("port", v.number)],
        1,
    ),
    ("bridge", "fdb", ("show", "list", ""), [FDB_FILTER], 4),
    ("bridge", "fdb", ("get",), [v.mac, FDB], 1),
    (
        "bridge",
        "fdb",
        ("get",),
        [v.choice("02:00:00:00:00:77", "02:00:00:00:01:00"), v.choice("br", "dev"), v.choice("br0", "v0", "vx0")],
        1,
    ),
    ("bridge", "fdb", ("flush",), ["dev", v.port, [("vlan", v.vid), ("brport", v.port), ("self",), ("master",), ("permanent",)]], 0.2),
    ("bridge", "mdb", ("add", "del", "replace"), [("dev", v.choice("br0", "br0", "v0")), ("port", v.port), ("grp", GROUP), MDB], 1),
    ("bridge", "mdb", ("add", "add", "del"), ["dev", "br0", "port", v.choice("v0", "v2", "br0"), "grp", GROUP, MDB], 2),
    ("bridge", "mdb", ("show", ""), [("dev", v.device), ("vid", v.vid)], 1),
    ("bridge", "vni", ("show", "add", "delete"), [("dev", "vx0"), ("vni", v.number)], 0.3),
    (
        "bridge",
        "vni",
        ("add", "add", "delete"),
        ["dev", "vx1", "vni", v.choice("100", "100-103", "200,210-211", "16777216", "x"), (v.choice("group", "remote"), v.address)],
        0.4,
    ),
    ("bridge", "vni", ("show", "list", ""), [("dev", v.choice("vx0", "vx1", "v0"))], 0.3),
    ("bridge", "vlan", ("add", "del"), [VLAN], 1),
    ("bridge", "vlan", ("add", "add", "del"), ["vid", v.vid, "dev", v.port, ("pvid",), ("untagged",), ("self",)], 2),
    ("bridge", "vlan", ("global",), [v.choice("show", "set"), ("dev", v.choice("br0", "br0", "v0")), ("vid", v.vid), GLOBAL], 0.7),
    ("bridge", "vlan", ("tunnelshow",), [("dev", v.port), ("vid", v.vid)], 0.3),
    ("bridge", "vlan", ("show", ""), [("dev", v.port), ("vid", v.vid)], 2),
    ("bridge", "vlan", ("set",), ["dev", v.port, "vid", v.vid, VLAN_OPTIONS], 0.7),
]
