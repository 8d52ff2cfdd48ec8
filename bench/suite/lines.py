"""The command lines for measurements by call and by process. Each leaves the namespace unchanged."""

CHAIN = " && ".join(
    [
        "ip link set br0 mtu 1500",
        "ip link set br0 up",
        "ip link set v0 master br0",
        "ip link set v0 mtu 1500",
        "bridge link set dev v0 learning on",
        "bridge fdb replace 00:11:22:33:44:77 dev v0 master static",
    ]
)

LINES = {
    "link set mtu": "ip link set v0 mtu 1500",
    "chain of six": f'/bin/bash -c "{CHAIN}"',
    "fdb replace": "bridge fdb replace 00:11:22:33:44:66 dev v0 master static",
    "route replace": "ip route replace 10.1.0.0/16 via 10.0.0.9 dev v1",
    "neigh replace": "ip neigh replace 10.0.0.9 lladdr 00:11:22:33:44:55 dev v1",
    "link show": "ip link show v0",
    "addr show, filtered": "ip addr show v1 | grep inet | wc -l",
}
