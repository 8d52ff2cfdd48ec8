"""The network that a block begins with. The real tools make it in every twin; it has no random parts.

It uses batches, because a process for each line would cost more than the block itself. It waits for late changes (the bridge's carrier)."""

HOST = """\
[ ! -d /run/netns ] || ip -all netns delete
sysctl -qw net.ipv6.conf.default.router_solicitations=0
ip -batch - <<END
netns add blue
link set lo up
link add br0 address 02:00:00:00:01:00 type bridge mcast_snooping 0
link add v0 address 02:00:00:00:00:01 type veth peer name v1 address 02:00:00:00:00:02
link add v2 address 02:00:00:00:00:03 type veth peer name v3 address 02:00:00:00:00:04
link add link v1 name m0 address 02:00:00:00:00:05 type macvlan mode bridge
link add vx0 address 02:00:00:00:00:06 type vxlan id 42 dstport 4789 local 10.0.0.1 nolearning
link add vx1 address 02:00:00:00:00:0a type vxlan dstport 4790 external vnifilter
link set v0 master br0
link set v2 master br0
link set v0 type bridge_slave learning off
link set v2 type bridge_slave learning off
link set v1 up
link set v0 up
link set v2 up
link set v3 up
link set br0 up
address add 10.0.0.1/24 dev v1
address add 10.1.0.1/24 brd + dev v3
address add 2001:db8::1/64 dev v1
route add 192.0.2.0/24 via 10.0.0.9 proto static
route add 192.0.3.0/24 nexthop via 10.0.0.9 weight 2 nexthop via 10.1.0.9 dev v3
route add 2001:db8:1::/64 via 2001:db8::9 metric 7
route add blackhole 198.51.100.0/24 table 100
rule add from 10.0.0.0/8 table 100 priority 10
neighbor add 10.0.0.9 lladdr 02:00:00:00:00:99 dev v1
neighbor add 2001:db8::9 lladdr 02:00:00:00:00:9a dev v1
nexthop add id 1 via 10.0.0.9 dev v1
nexthop add id 2 via 10.1.0.9 dev v3
nexthop add id 3 group 1/2
nexthop add id 4 via 2001:db8::9 dev v1
link property add dev v2 altname alt0
END
bridge -batch - <<END
fdb add 02:00:00:00:00:77 dev v0 master static
fdb append 00:00:00:00:00:00 dev vx0 dst 10.0.0.2
END
until ip -br link show br0 | grep -q ' UP '; do sleep 0.02; done
"""

# Needs a kernel with VLANs, VRFs and VLAN filtering.
GUEST = """\
ip -batch - <<END
link set br0 type bridge vlan_filtering 1
link add link v1 name v1.10 type vlan id 10
link add vrf0 type vrf table 1000
link add d0 address 02:00:00:00:00:07 type dummy
link set d0 master vrf0
link add bond0 address 02:00:00:00:00:08 type bond mode active-backup
link add t0 type gre local 10.0.0.1 remote 10.0.0.2 key 5
link add t6 type ip6gre local 2001:db8::1 remote 2001:db8::2
END
sysctl -qw net.mpls.platform_labels=1000 net.mpls.conf.v1.input=1
bridge -batch - <<END
vlan add vid 10-20 dev v0
vlan add vid 30 pvid untagged dev v2
vlan add vid 10 dev br0 self
END
"""
