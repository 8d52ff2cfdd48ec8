#!/bin/bash
# packages: ifupdown vlan ifenslave bridge-utils
# lane: guest
# ifup and ifdown of a bond of two ports, a VLAN on it, and a bridge of VLANs: ifenslave's, vlan's and bridge-utils' scripts.
for number in 0 1 2; do ip link add p$number address 02:00:00:00:00:0$number type veth peer name q$number address 02:00:00:00:01:0$number; done
mkdir -p /run/network
cat >/run/interfaces <<'END'
auto bond0 bond0.100 br0
iface bond0 inet static
    bond-slaves p0 p1
    bond-mode active-backup
    bond-miimon 100
    address 192.0.2.1/24
iface bond0.100 inet static
    address 198.51.100.1/24
    up ip route add 203.0.113.0/24 via 198.51.100.9 dev $IFACE
iface p2.200 inet manual
iface br0 inet static
    bridge_ports p2.200
    bridge_stp off
    bridge_fd 0
    bridge_maxwait 0
    address 10.9.0.1/24
END
for _ in 1 2; do
    ifup -i /run/interfaces bond0 bond0.100 br0 2>&1
    ip -br -4 addr | awk '{ print $1, $3 }'
    ifdown -i /run/interfaces br0 bond0.100 bond0 2>&1
    ip -br link | awk '{ print $1 }'
done
ifup -i /run/interfaces bond0 bond0.100 br0 2>&1
ip -d -o link show type vlan | grep -o 'vlan protocol.*id [0-9]*'
