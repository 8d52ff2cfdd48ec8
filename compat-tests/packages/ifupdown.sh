#!/bin/bash
# packages: ifupdown bridge-utils
# ifup and ifdown of a bridge, with the scripts of bridge-utils, addresses of both families, routes, rules and neighbours.
ip link add v0 address 02:00:00:00:00:01 type veth peer name v1 address 02:00:00:00:00:02
ip link add v2 address 02:00:00:00:00:03 type veth peer name v3 address 02:00:00:00:00:04
mkdir -p /run/network
cat >/run/interfaces <<'END'
auto lo br0 v1 v3
iface lo inet loopback
iface br0 inet static
    bridge_ports v0 v2
    bridge_hw v0
    bridge_stp off
    bridge_fd 0
    bridge_maxwait 0
    address 192.0.2.1/24
    gateway 192.0.2.254
    mtu 1400
    up ip route add 198.51.100.0/24 via 192.0.2.253 dev br0
    up ip rule add from 192.0.2.1 table 100
    up ip route add default via 192.0.2.254 table 100
    down ip rule del from 192.0.2.1 table 100
iface br0 inet6 static
    address 2001:db8::1/64
    dad-attempts 0
    autoconf 0
iface v1 inet static
    address 203.0.113.1/24
    pointopoint 203.0.113.9
    hwaddress 02:00:00:00:00:12
    scope link
    post-up ip neigh replace 203.0.113.7 lladdr 02:00:00:00:00:77 dev $IFACE
iface v3 inet manual
    up ip link set dev $IFACE up
    down ip link set dev $IFACE down
END
for _ in 1 2 3 4 5; do
    ifup -v -i /run/interfaces -a 2>&1
    ifquery -i /run/interfaces --state
    ip -br addr | awk '{ print $1, $3, $4 }'
    ifdown -i /run/interfaces br0 v1 v3
    ip -br link | awk '{ print $1 }'
done
ifup -i /run/interfaces -a
