#!/usr/bin/env bats
# A change costs the same number of system calls and netlink messages with 10 and with 1000 links; a show no more memory.

bats_require_minimum_version 1.5.0
load sanitizer

# namespace LINKS: what a fresh namespace runs to get a bridge br0 with port v0, and LINKS other devices.
namespace() {
    echo "link add br0 type bridge"
    echo "link add v0 type veth peer name v1"
    echo "link set v0 master br0"
    echo "link set v1 up"
    echo "addr add 10.0.0.1/24 dev v1"
    for i in $(seq "$1"); do
        echo "link add other$i type bridge"
    done
}

# calls LINKS: the network calls of each change, run one after the other in one namespace; one line each.
calls() {
    namespace "$1" >"$BATS_TEST_TMPDIR/batch"
    # shellcheck disable=SC2016
    timeout "$(seconds 240)" unshare -n bash -c '
        ip -batch "$1" || exit
        while read -r change; do
            strace -f -qq -e trace=network,ioctl -o "$1.trace" "$2" $change || exit
            printf "%s: %s\n" "$(grep -Ec "netlink|sendto|sendmsg|recvmsg|recvfrom|ioctl" "$1.trace")" "$change"
        done
    ' calls "$BATS_TEST_TMPDIR/batch" "$NLSH" <<'CHANGES'
ip link set v0 mtu 1400
ip link set dev v0 up
ip link set v0 nomaster
ip link set v0 master br0
ip link add d0 type bridge
ip link del d0
ip addr add 10.0.0.2/24 dev v1
ip addr del 10.0.0.2/24 dev v1
ip route add 10.1.0.0/16 via 10.0.0.9 dev v1
ip route del 10.1.0.0/16
ip neigh add 10.0.0.9 lladdr 00:11:22:33:44:55 dev v1
ip neigh del 10.0.0.9 dev v1
ip rule add pref 100 table 100
ip rule del pref 100
bridge fdb add 00:11:22:33:44:66 dev v0 master static
bridge fdb del 00:11:22:33:44:66 dev v0 master
bridge link set dev v0 learning off
CHANGES
}

@test "the cost of a change doesn't grow with the number of links" {
    calls 10 >"$BATS_TEST_TMPDIR/few"
    calls 1000 >"$BATS_TEST_TMPDIR/many"
    sed 's/^/# /' "$BATS_TEST_TMPDIR/many" >&3
    diff "$BATS_TEST_TMPDIR/few" "$BATS_TEST_TMPDIR/many"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/few")" = 17 ]
}

# peaks ROUTES: the most memory, in KiB, that `nlsh -c` and a server took for a show of so many routes.
peaks() {
    {
        namespace 1
        awk -v n="$1" 'BEGIN { for (; i < n; i++) printf "route add 20.%d.%d.%d via 10.0.0.9 dev v1\n", i / 65536, i / 256 % 256, i % 256 }'
    } >"$BATS_TEST_TMPDIR/batch"
    timeout 120 unshare -n python3 -B "$BATS_TEST_DIRNAME/complexity/peaks.py" "$BATS_TEST_TMPDIR" "$1"
}

@test "a large table streams: no more memory for 200,000 routes than for 20,000" {
    unsanitized "its shadow and its freed pieces are the memory that is measured"
    read -r status few server_few lines <<<"$(peaks 20000)"
    [ "$status $lines" = "0 20001" ]
    read -r status many server_many lines <<<"$(peaks 200000)"
    [ "$status $lines" = "0 200001" ]
    echo "# nlsh -c: $few and $many KiB; the server: $server_few and $server_many KiB" >&3
    [ $((many - few)) -lt 1024 ]
    [ $((server_many - server_few)) -lt 1024 ]
}
