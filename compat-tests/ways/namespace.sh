#!/bin/bash
# Part of ways.bats: namespace.sh COMMAND… runs COMMAND in a fresh network namespace, and prints the namespace's final state.
set -euo pipefail
sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
NLSH_DISABLE=1 ip -batch - <<'SETUP'
link add br0 address 02:00:00:00:00:01 type bridge
link add v0 address 02:00:00:00:00:02 type veth peer name v1 address 02:00:00:00:00:03
SETUP
status=0
timeout --kill-after=5 100 "$@" 2>&1 </dev/null || status=$?
export NLSH_DISABLE=1 LD_PRELOAD=
echo "status $status"
ip -d -o link show master br0
ip -o addr
ip route show table all
