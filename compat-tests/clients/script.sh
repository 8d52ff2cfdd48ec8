#!/bin/bash
# A script that runs ip and bridge by name: nlsh's ip and bridge are first in PATH.
ip link set v0 master br0 && ip link set v0 up
ip addr add 10.9.1.1/24 dev br0
echo "br0 has $(ip -4 -o addr show dev br0 | awk '{print $4}')"
for i in 1 2 3; do
    ip route add 10.50.$i.0/24 via 10.9.0.9
done
if ! ip link set nosuch up; then
    echo "no such device: $?"
fi
ip link help
echo $?
bridge fdb add 02:00:00:00:00:99 dev v0 master static
bridge fdb show dev v0 | grep static
printf '%s\n' 'route add 10.51.0.0/16 via 10.9.0.9' 'route add 10.51.0.0/16 via 10.9.0.9' | ip -batch -
echo $?
