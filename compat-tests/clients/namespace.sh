#!/bin/bash
# Part of clients.bats: runs inside a fresh network namespace.
#   namespace.sh RESULT COMMAND…    RESULT.out: what COMMAND printed, stderr included; RESULT.state: the end state
# COMMAND finds RESULT in its environment, for files of its own.
set -euo pipefail
export RESULT=$1
shift

# IPv6 is off: its link-local addresses come at times of their own. The same MAC addresses in each run.
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

# Operational states settle within a second, on a busy machine later: no NO-CARRIER between two that are up. The bridge's timers run.
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
