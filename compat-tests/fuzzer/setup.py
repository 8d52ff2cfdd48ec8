"""The network that a block begins with: made by the real tools in every twin, nothing in it drawn at random."""

HOST = """\
sysctl -qw net.ipv6.conf.default.router_solicitations=0
ip link set lo up
ip link add br0 address 02:00:00:00:01:00 type bridge mcast_snooping 0
ip link add v0 address 02:00:00:00:00:01 type veth peer name v1 address 02:00:00:00:00:02
ip link add v2 address 02:00:00:00:00:03 type veth peer name v3 address 02:00:00:00:00:04
ip link add link v1 name m0 address 02:00:00:00:00:05 type macvlan mode bridge
ip link add vx0 address 02:00:00:00:00:06 type vxlan id 42 dstport 4789 local 10.0.0.1 nolearning
ip link set v0 master br0
ip link set v2 master br0
ip link set v0 type bridge_slave learning off
ip link set v2 type bridge_slave learning off
ip link set v1 up
ip link set v0 up
ip link set v2 up
ip link set v3 up
ip link set br0 up
ip address add 10.0.0.1/24 dev v1
ip address add 10.1.0.1/24 brd + dev v3
ip address add 2001:db8::1/64 dev v1
ip route add 192.0.2.0/24 via 10.0.0.9 proto static
ip route add 192.0.3.0/24 nexthop via 10.0.0.9 weight 2 nexthop via 10.1.0.9 dev v3
ip route add 2001:db8:1::/64 via 2001:db8::9 metric 7
ip route add blackhole 198.51.100.0/24 table 100
ip rule add from 10.0.0.0/8 table 100 priority 10
ip neighbor add 10.0.0.9 lladdr 02:00:00:00:00:99 dev v1
ip neighbor add 2001:db8::9 lladdr 02:00:00:00:00:9a dev v1
bridge fdb add 02:00:00:00:00:77 dev v0 master static
bridge fdb append 00:00:00:00:00:00 dev vx0 dst 10.0.0.2
""".splitlines()

# What only a kernel with VLANs, VRFs and VLAN filtering has.
GUEST = """\
ip link set br0 type bridge vlan_filtering 1
ip link add link v1 name v1.10 type vlan id 10
ip link add vrf0 type vrf table 1000
ip link add d0 address 02:00:00:00:00:07 type dummy
ip link set d0 master vrf0
bridge vlan add vid 10-20 dev v0
bridge vlan add vid 30 pvid untagged dev v2
bridge vlan add vid 10 dev br0 self
""".splitlines()
