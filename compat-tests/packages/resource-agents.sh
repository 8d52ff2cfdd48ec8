#!/bin/bash
# packages: resource-agents libnet1 libplumb2 libplumbgpl2 libpils2 libglib2.0-0 gawk libsigsegv2 libmpfr6 libreadline8
# Pacemaker's agents for an address, a route and the source address that goes with it: start, monitor, stop, as a cluster calls them.
ip link add eth0 address 02:00:00:00:00:01 type veth peer name eth0peer
ip link set eth0 up
ip link set eth0peer up
ip addr add 192.0.2.2/24 dev eth0
export OCF_ROOT=/usr/lib/ocf OCF_RA_VERSION_MAJOR=1 HA_debug=0 HA_LOGFACILITY=none HA_RSCTMP=/run/resource-agents
mkdir -p $HA_RSCTMP
agent() { # NAME ACTION VARIABLE=VALUE…
    local name=$1 action=$2
    shift 2
    env OCF_RESOURCE_INSTANCE="$name" OCF_RESOURCE_TYPE="$name" "$@" "/usr/lib/ocf/resource.d/heartbeat/$name" "$action" 2>&1 |
        sed -E 's/^[A-Z][a-z]{2} [ 0-9]{2} [0-9:]{8} //'
    echo "$name $action: ${PIPESTATUS[0]}"
}
address=(OCF_RESKEY_ip=192.0.2.77 OCF_RESKEY_cidr_netmask=24 OCF_RESKEY_nic=eth0 OCF_RESKEY_arp_count=1 OCF_RESKEY_arp_interval=1)
address6=(OCF_RESKEY_ip=2001:db8::77 OCF_RESKEY_cidr_netmask=64 OCF_RESKEY_nic=eth0 OCF_RESKEY_nodad=true)
route=(OCF_RESKEY_destination=198.51.100.0/24 OCF_RESKEY_gateway=192.0.2.254 OCF_RESKEY_device=eth0)
source=(OCF_RESKEY_ipaddress=192.0.2.77 OCF_RESKEY_cidr_netmask=24 OCF_RESKEY_destination=192.0.2.0/24)
for _ in 1 2 3; do
    agent IPaddr2 monitor "${address[@]}"
    agent IPaddr2 start "${address[@]}"
    agent IPaddr2 monitor "${address[@]}"
    agent IPaddr2 start "${address6[@]}"
    agent Route start "${route[@]}"
    agent Route monitor "${route[@]}"
    agent IPsrcaddr start "${source[@]}"
    agent IPsrcaddr monitor "${source[@]}"
    ip route | sed 's/ linkdown//'
    ip -o addr show dev eth0 | sed 's/.*inet/inet/; /fe80/d'
    agent IPsrcaddr stop "${source[@]}"
    agent Route stop "${route[@]}"
    agent IPaddr2 stop "${address6[@]}"
    agent IPaddr2 stop "${address[@]}"
done
agent IPaddr2 start "${address[@]}"
agent Route start "${route[@]}"
exit 0
