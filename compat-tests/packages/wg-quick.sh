#!/bin/bash
# packages: wireguard-tools wireguard-go
# wg-quick, a bash script: a tunnel with addresses, routes and rules, up and down. This kernel has no WireGuard, so it uses wireguard-go.
ip link add eth0 address 02:00:00:00:00:01 type veth peer name eth0peer
ip link set eth0 up
ip addr add 192.0.2.2/24 dev eth0
ip route add default via 192.0.2.1 dev eth0
mkdir -p /etc/wireguard /run/wireguard
umask 077
cat >/etc/wireguard/wg0.conf <<'END'
[Interface]
PrivateKey = AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=
Address = 10.9.0.1/24, 2001:db8:9::1/64
MTU = 1380
PostUp = ip route add 198.51.100.0/24 dev %i
PreDown = ip route del 198.51.100.0/24 dev %i
[Peer]
PublicKey = ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=
AllowedIPs = 10.20.0.0/16, 10.9.0.0/24, 2001:db8:20::/48
Endpoint = 192.0.2.1:51820
END
for _ in 1 2 3 4 5; do
    wg-quick up wg0 2>&1 | grep -v '^[│┌└]'
    echo "up: ${PIPESTATUS[0]}"
    ip route | sed 's/ linkdown//'
    ip -o addr show dev wg0 | sed 's/.*inet/inet/; /fe80/d'
    wg-quick down wg0 2>&1
    echo "down: $?"
    until [ ! -e /sys/class/net/wg0 ]; do sleep 0.01; done
done
