#!/bin/bash
# packages: mininet net-tools cgroup-tools libcgroup2 socat iperf telnet inetutils-telnet python3-pkg-resources
# Mininet, in Python: hosts in namespaces, bridges as switches, veth pairs as links; pings between hosts, and takes everything down.
for topology in linear,3 tree,2,2; do
    mn --switch lxbr --controller none --topo $topology --mac --test none 2>&1 | sed 's/in [0-9.]* seconds/in TIME/'
    ip -br link | awk '{ print $1 }'
done
mn --switch lxbr --controller none --topo single,2 --mac --test pingall 2>&1 | sed 's/in [0-9.]* seconds/in TIME/'
exit 0
