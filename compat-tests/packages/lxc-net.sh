#!/bin/bash
# packages: lxc nftables libnftables1 libnftnl11 libjansson4 libxtables12
# LXC's bridge for containers: lxc-net starts and stops it, and its dnsmasq.
mkdir -p /etc/default /var/lib/misc
cat >/etc/default/lxc <<'END'
USE_LXC_BRIDGE="true"
LXC_BRIDGE="lxcbr0"
LXC_IPV6_ADDR="2001:db8:3::1"
LXC_IPV6_MASK="64"
LXC_IPV6_NETWORK="2001:db8:3::/64"
LXC_IPV6_NAT="true"
END
for _ in 1 2 3 4 5; do
    /usr/libexec/lxc/lxc-net start
    echo "started: $?"
    ip -br addr show lxcbr0 | awk '{ print $1, $3 }'
    /usr/libexec/lxc/lxc-net stop
    echo "stopped: $?"
    ip link show lxcbr0
done
/usr/libexec/lxc/lxc-net start
ip link add c0 type veth peer name c1
ip link set c0 master lxcbr0
/usr/libexec/lxc/lxc-net stop
exit 0
