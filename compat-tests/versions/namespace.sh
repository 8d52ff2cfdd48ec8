#!/bin/bash
# Part of versions.bats: namespace.sh COMMAND… runs COMMAND in a fresh network namespace, and prints the namespace's final state.
set -euo pipefail
unset_nlsh() { env -u LD_PRELOAD NLSH_DISABLE=1 "$@"; }
sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
{
    echo link add br0 address 02:00:00:00:00:01 type bridge
    echo link add v0 address 02:00:00:00:00:02 type veth peer name v1 address 02:00:00:00:00:03
    printf 'addr add 10.9.0.%s/32 dev lo\n' {1..200}
} | unset_nlsh ip -batch -
status=0
timeout --kill-after=5 200 env "$@" 2>&1 </dev/null || status=$?
echo "status $status"
unset_nlsh ip -d -o link
unset_nlsh ip -o addr
unset_nlsh ip route show table all
