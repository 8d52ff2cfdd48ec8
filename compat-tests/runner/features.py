"""What the running kernel can do: link kinds and a few more, each tried once in a fresh network namespace."""

import functools
import subprocess

# A feature that isn't listed is the name of a link kind.
PROBES = {
    "vlan": "ip link add f0 type veth peer name f1 && ip link add link f0 name f2 type vlan id 5",
    "macvlan": "ip link add f0 type veth peer name f1 && ip link add link f0 name f2 type macvlan",
    "macvtap": "ip link add f0 type veth peer name f1 && ip link add link f0 name f2 type macvtap",
    "ipvlan": "ip link add f0 type veth peer name f1 && ip link add link f0 name f2 type ipvlan",
    "vrf": "ip link add f0 type vrf table 5",
    "vxlan": "ip link add f0 type vxlan id 5 dstport 4789",
    "veth": "ip link add f0 type veth peer name f1",
    "geneve": "ip link add f0 type geneve id 5 remote 10.0.0.1",
    "gre": "ip link add f0 type gre remote 10.0.0.1 local 10.0.0.2",
    "gretap": "ip link add f0 type gretap remote 10.0.0.1 local 10.0.0.2",
    "ipip": "ip link add f0 type ipip remote 10.0.0.1 local 10.0.0.2",
    "sit": "ip link add f0 type sit remote 10.0.0.1 local 10.0.0.2",
    "macsec": "ip link add f0 type veth peer name f1 && ip link add link f0 name f2 type macsec",
    "ip6tnl": "ip link add f0 type ip6tnl remote fd00::1 local fd00::2",
    "vlan_filtering": "ip link add f0 type bridge vlan_filtering 1 && bridge vlan show dev f0",
    "bridge": "ip link add f0 type bridge",
    "mpls": "test -d /proc/sys/net/mpls",
    "seg6": "ip link set lo up && ip -6 route add fd01::/64 encap seg6 mode encap segs fc00::1 dev lo",
    "tun": "ip tuntap add f0 mode tap",
    "netns": "true",
    "ipv6": "test -d /proc/sys/net/ipv6",
    "brctl": "test -x /sbin/brctl",
    "fdb_protocol": "bridge fdb help 2>&1 | grep -q proto",  # as fdbsyncd asks
}
ALIASES = {
    "bridge_vlan": "vlan_filtering",
    "bridge_vlan_filtering": "vlan_filtering",
    "vlanfiltering": "vlan_filtering",
    "8021q": "vlan",
    "bonding": "bond",
    "bridgevlan": "vlan_filtering",
    "tap": "tun",
    "tuntap": "tun",
    "tunnel": "ipip",
}


@functools.cache
def has(feature: str) -> bool:
    name = feature.lower().replace("-", "_")
    name = ALIASES.get(name, name)
    probe = PROBES.get(name, f"ip link add f0 type {name}")
    return subprocess.run(["unshare", "-n", "sh", "-c", probe], stdin=subprocess.DEVNULL, capture_output=True, timeout=60).returncode == 0


def missing(features: list[str]) -> list[str]:
    return [feature for feature in features if not has(feature)]
