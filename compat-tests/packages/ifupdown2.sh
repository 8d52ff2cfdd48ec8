#!/bin/bash
# packages: ifupdown2
# ifupdown2, in Python: a bridge with ports and addresses; another configuration; and none.
for number in 0 1 2 3; do ip link add v$number address 02:00:00:00:00:0$number type veth peer name w$number address 02:00:00:00:01:0$number; done
mkdir -p /etc/network /run/network
configure() { # PORTS ADDRESS MTU
    cat >/etc/network/interfaces <<END
auto lo
iface lo inet loopback

auto br0
iface br0
    bridge-ports $1
    bridge-stp off
    bridge-fd 2
    bridge-ageing 200
    address $2
    address 2001:db8::1/64
    hwaddress 02:00:00:00:00:aa
    mtu $3
    up ip route add 198.51.100.0/24 via 192.0.2.9 dev br0
    post-down ip neigh flush dev br0

auto w3
iface w3
    address 203.0.113.1/24
    gateway 203.0.113.254
END
}
chmod +x /usr/share/ifupdown2/__main__.py # as its postinst does
for tool in ifup ifdown ifreload ifquery; do
    command -v $tool
done
for _ in 1 2; do
    configure "v0 v1" 192.0.2.1/24 1400
    ifup -a; echo "up: $?"
    ip -o addr show dev br0 | sed 's/.*inet/inet/; /fe80/d'
    configure "v1 v2" 192.0.2.2/24 1300
    ifreload -a; echo "reloaded: $?"
    ip -o addr show dev br0 | sed 's/.*inet/inet/; /fe80/d'
    bridge link | sed -E 's/<.*> //; s/state [a-z]+ //; s/ cost .*//'
    ifquery -a | head -40
    ifdown -a -X lo; echo "down: $?"
    ip -o link | cut -d' ' -f2
done
ifup -a
exit 0
