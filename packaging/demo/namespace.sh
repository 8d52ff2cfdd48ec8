#!/bin/bash
# Part of packaging/quickstart: runs inside a fresh network namespace.
#   namespace.sh RESULT PORTS COMMAND…    RESULT.out: its output; RESULT.ms: its time; RESULT.state: the end state
set -euo pipefail
result=$1 ports=$2
shift 2

# The ports are the demo's givens (on a switch the driver makes them), with the same addresses in each run.
# IPv6 is off: its link-local addresses come at times of their own.
sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
for ((i = 0; i < ports; i++)); do
    printf 'link add Ethernet%d address 02:00:00:00:%02x:%02x type veth peer name peer%d address 02:01:00:00:%02x:%02x\n' \
        $i $((i / 256)) $((i % 256)) $i $((i / 256)) $((i % 256))
done | ip -batch -

start=$(date +%s%N)
"$@" >"$result.out" 2>&1
end=$(date +%s%N)
echo $(((end - start) / 1000000)) >"$result.ms"

# What the real tools say of the end. The kernel's link watch settles operational states within a second;
# timers of the bridge, which run, are left out; neighbours come in the order of a hash with a random seed.
sleep 1.3
{
    ip -d link | sed -E 's/(hello|tcn|topology_change|gc|hold|message_age|forward_delay)_timer +[0-9.]+/\1_timer/g'
    ip addr
    ip route show table all
    ip rule
    ip neigh | sort
    bridge link
    bridge fdb
} >"$result.state"
