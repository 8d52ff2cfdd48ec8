#!/bin/sh
# Runs in the guest: nlapi_test in one namespace, and its lines by the real shell in another. Both must end in the same state.
#   nlapi.sh NLAPI_TEST
set -eu
test=$1
cd "$(mktemp -d)"

prepare() { # NAMESPACE
    ip netns add "$1"
    ip netns exec "$1" sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
    ip -n "$1" link add Ethernet0 address 02:00:00:00:01:00 type dummy
    ip -n "$1" link add Ethernet4 address 02:00:00:00:01:04 type dummy
}
# Masks random addresses and timers, which the lines don't set.
state() { # NAMESPACE
    ip -n "$1" -d -o link | sed '/Vrf1\|[Vv]xlan[12]00/s/link.ether [0-9a-f:]*//; s/ 8000[.][0-9a-f:]*//g; s/[a-z]*_timer *[0-9.]*//g'
    ip -n "$1" -o address
    ip -n "$1" route show table all
    bridge -n "$1" vlan
    bridge -n "$1" fdb show dev Vxlan100 | grep dst
    bridge -n "$1" fdb show dev Ethernet0 | grep static
}

prepare ours
prepare theirs
NLSH_TRACE=$PWD/trace ip netns exec ours ${NLSH_SERVE_PREFIX:-} "$test" 2>/dev/null
cut -f 5 trace | while IFS= read -r line; do
    ip netns exec theirs sh -c "$line" >/dev/null 2>&1 || true # some must fail
done
state ours >ours.state
state theirs >theirs.state
diff theirs.state ours.state
echo "$(wc -l <ours.state) lines of state alike; $(cut -f 2 trace | sort | uniq -c | xargs)"
