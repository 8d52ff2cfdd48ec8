#!/bin/bash
# packages: isc-dhcp-client
# A lease from dnsmasq: dhclient runs dhclient-script, which sets the address, routes and MTU, and takes them away at its release.
. ./lan
ip netns exec server dnsmasq --conf-file=/dev/null --port=0 --interface=server --bind-interfaces --user=root --pid-file=/run/dnsmasq.pid \
    --dhcp-range=192.0.2.50,192.0.2.60,1h --dhcp-host=02:00:00:00:00:01,192.0.2.55 --dhcp-option=option:mtu,1400 --no-ping \
    --dhcp-option=121,198.51.100.0/24,192.0.2.253 --dhcp-authoritative --dhcp-leasefile=/run/dnsmasq.leases --log-facility=/dev/null
for _ in 1 2 3; do
    dhclient -4 -1 -q -pf /run/dhclient.pid -lf /run/dhclient.leases -sf /sbin/dhclient-script eth0
    echo "bound: $?"
    ip -4 -o addr show dev eth0 | sed 's/valid_lft.*//'
    ip link show eth0 | grep -o 'mtu [0-9]*'
    ip route | sed 's/ linkdown//'
    dhclient -4 -r -q -pf /run/dhclient.pid -lf /run/dhclient.leases -sf /sbin/dhclient-script eth0
    echo "released: $?"
    ip -4 -o addr show dev eth0
done
dhclient -4 -1 -q -pf /run/dhclient.pid -lf /run/dhclient.leases -sf /sbin/dhclient-script eth0
kill "$(cat /run/dhclient.pid)" "$(cat /run/dnsmasq.pid)"
