#!/bin/bash
# packages: vpnc-scripts
# The script that openconnect and vpnc run when a tunnel comes and goes: routes around and into the tunnel, split networks, both families.
ip link add eth0 address 02:00:00:00:00:01 type veth peer name eth0peer
echo 1 >/proc/sys/net/ipv6/conf/eth0peer/disable_ipv6 # both get their carrier, and so ff00::/8, in any order
ip link set eth0 up
ip link set eth0peer up
ip addr add 192.0.2.2/24 dev eth0
ip route add default via 192.0.2.1 dev eth0
export TUNDEV=vpn0 VPNPID=1 VPNGATEWAY=198.51.100.1 INTERNAL_IP4_ADDRESS=10.8.0.2 INTERNAL_IP4_NETMASK=255.255.255.0 INTERNAL_IP4_NETMASKLEN=24
export INTERNAL_IP4_NETADDR=10.8.0.0 INTERNAL_IP6_ADDRESS=2001:db8:8::2 INTERNAL_IP6_NETMASK=2001:db8:8::2/64 INTERNAL_IP4_MTU=1300
split=(CISCO_SPLIT_INC=2 CISCO_SPLIT_INC_0_ADDR=10.20.0.0 CISCO_SPLIT_INC_0_MASK=255.255.0.0 CISCO_SPLIT_INC_0_MASKLEN=16
    CISCO_SPLIT_INC_1_ADDR=10.30.0.0 CISCO_SPLIT_INC_1_MASK=255.255.0.0 CISCO_SPLIT_INC_1_MASKLEN=16
    CISCO_SPLIT_EXC=1 CISCO_SPLIT_EXC_0_ADDR=10.20.1.0 CISCO_SPLIT_EXC_0_MASK=255.255.255.0 CISCO_SPLIT_EXC_0_MASKLEN=24
    CISCO_IPV6_SPLIT_INC=1 CISCO_IPV6_SPLIT_INC_0_ADDR=2001:db8:20:: CISCO_IPV6_SPLIT_INC_0_MASKLEN=48)
script=/usr/share/vpnc-scripts/vpnc-script
for _ in 1 2 3; do
    for words in "" "${split[*]}"; do
        ip link add vpn0 address 02:00:00:00:00:03 type veth peer name vpn0peer
        ip link set vpn0peer up
        for reason in pre-init connect attempt-reconnect reconnect; do
            # shellcheck disable=SC2086 # variables
            env $words reason=$reason "$script" 2>&1
            echo "$reason: $?"
        done
        ip route | sed 's/ linkdown//'
        ip -6 route show dev vpn0 | grep -v fe80
        # shellcheck disable=SC2086
        env $words reason=disconnect "$script" 2>&1
        ip route | sed 's/ linkdown//'
        ip link del vpn0
    done
done
