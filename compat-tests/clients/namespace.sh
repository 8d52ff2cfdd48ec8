#!/bin/bash
# Part of clients.bats, which runs it in a fresh network namespace.
#   namespace.sh RESULT COMMAND…    RESULT.out: what COMMAND printed, stderr included; RESULT.state: the end state
# COMMAND gets RESULT in its environment, as a prefix for its own files.
set -euo pipefail
export RESULT=$1
shift

# Without IPv6, whose link-local addresses come at random times. The MAC addresses are the same in each run.
sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
ip -batch - <<'SETUP'
link set lo up
link add br0 address 02:00:00:00:00:01 type bridge
link add v0 address 02:00:00:00:00:02 type veth peer name v1 address 02:00:00:00:00:03
addr add 10.9.0.1/24 dev v1
link set v1 up
SETUP

status=0
timeout --kill-after=5 45 "$@" >"$RESULT.out" 2>&1 </dev/null || status=$?
echo "status $status" >>"$RESULT.out"

# Operational states settle within a second, later on a busy machine: wait until no link that is up shows NO-CARRIER. Mask the bridge's timers.
sleep 1.2
told() {
    ip -o link | awk -F '[ :<>@]+' '
        { up[$2] = $0 ~ /[<,]UP[,>]/; lacks[$2] = $0 ~ /NO-CARRIER/; if ($0 ~ /master br0/ && up[$2]) port = 1 }
        END { exit up["v0"] && up["v1"] && (lacks["v0"] || lacks["v1"] || port && up["br0"] && lacks["br0"]) }'
}
for _ in {1..100}; do
    told && break
    sleep 0.1
done
{
    ip -d link | sed -E 's/(hello|tcn|topology_change|gc|hold|message_age|forward_delay)_timer +[0-9.]+/\1_timer/g'
    ip addr
    ip route show table all
    ip rule
    ip neigh | sort
    bridge link
    bridge fdb | sort
} >"$RESULT.state"
