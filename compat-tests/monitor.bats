#!/usr/bin/env bats
# Monitors of iproute2 and of nlsh run side by side in a fresh namespace, and must report the same events.

load sanitizer

# Masks times, which differ between processes.
untimed='s/^\[20[^]]*\]/[TIME]/; s/^Timestamp: .*/TIME/'

setup_file() {
    export HERE=$BATS_TEST_DIRNAME
}

# listen EVENTS: runs `prepare`, starts the monitors in the file `commands`, and runs the script EVENTS.
listen() {
    timeout "$(seconds 150)" unshare -nm bash -c '
        mount -t tmpfs run /run
        [ ! -e prepare ] || sh ./prepare
        number=0 pids=
        while read -r tool words; do
            number=$((number + 1))
            stdbuf -o0 /usr/sbin/$tool $words >real.$number 2>&1 & pids+=" $!"
            NLSH_TRACE=$PWD/trace "$NLSH" $tool $words >nlsh.$number 2>&1 & pids+=" $!"
        done <commands
        left=200  # wait until all listen: the fourth column has the groups
        until [ "$(awk "\$4 !~ /^0*\$/" /proc/self/net/netlink | wc -l)" -gt $((2 * number)) ] || [ $left = 0 ]; do
            left=$((left - 1))
            sleep 0.1
        done
        export MONITORS=$pids PATH=$PATH:$HERE
        monitor-settle && sleep 1 # wait until they know the links
        sh "$1"
        sleep 3
        monitor-settle
        kill $pids' - "$1"
}

# Checks that each monitor printed the same as the real one, at least LINES lines, and that none fell back to the real one. The file `reordered`
# gets the monitors that printed the lines in another order.
same() {
    local number=0
    : >reordered
    while read -r line; do
        number=$((number + 1))
        [ "$(grep -c . real.$number)" -ge "$1" ]
        for who in real nlsh; do sed "$untimed" $who.$number >$who; done
        diff real nlsh && continue
        diff <(words real) <(words nlsh)
        echo "$line" >>reordered
    done <commands
    [ ! -e trace ] || ! grep fallback trace
}

words() {
    tr -s ' \\' '\n' <"$1" | sort
}

# told EVENTS LINES: the monitors must print the same. If two events happen at once on two processors (IPv6's timer joins a group, a bridge learns an
# address), the kernel may send them to two sockets in different orders. An order that differs each time is nlsh's fault.
told() {
    for _ in 1 2 3 4; do
        rm -f real.* nlsh.* trace
        listen "$1"
        same "$2"
        mv reordered commands
        [ -s commands ] || return 0
    done
    echo "in another order each time:"
    cat commands
    return 1
}

@test "monitors print what the real ones print" {
    cd "$BATS_TEST_TMPDIR"
    cat >commands <<'X'
ip monitor
ip monitor all
ip monitor label link route
ip -o monitor link address
ip -c monitor
ip -4 monitor
ip -6 monitor route address
ip -ts monitor all
ip -t monitor neigh rule nexthop
ip mon ro n ru
bridge monitor fdb
X
    told "$HERE/monitor-events.sh" 4
}

@test "monitors in other forms print what the real ones print" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: a quarter of a minute"
    cd "$BATS_TEST_TMPDIR"
    cat >commands <<'X'
ip -j -p -c monitor link address
ip -d monitor link address neigh rule netconf
ip -N -d monitor link route
ip -br monitor label
ip -4 -ts monitor all
ip -6 monitor label link neigh
ip -0 monitor
ip monitor all-nsid label
bridge monitor
bridge monitor link mdb
bridge monitor all
bridge -j -d monitor all
bridge -t -s monitor fdb link
bridge -c monitor all
bridge -o -d monitor
X
    told "$HERE/monitor-events.sh" 1
}

@test "a monitor of a device, and of namespaces with names" {
    cd "$BATS_TEST_TMPDIR"
    cat >commands <<'X'
ip monitor label dev v0
ip monitor dev v0 link address neigh route
ip monitor nsid
ip monitor all-nsid link
ip monitor link nsid
X
    cat >prepare <<'X'
ip link add v0 address 02:00:00:00:00:01 type veth peer name v1 address 02:00:00:00:00:02
ip netns add early
ip netns set early 3
X
    cat >events <<'X'
sleep 1; monitor-settle
ip link set v0 up
ip link set v1 up
sleep 1; monitor-settle
ip addr add 10.0.0.1/24 dev v0
ip addr add 10.0.1.1/24 dev v1
ip route add 192.0.2.0/24 via 10.0.0.9
ip route add 192.0.3.0/24 via 10.0.1.9
ip route add 192.0.4.0/24 nexthop via 10.0.1.9 nexthop via 10.0.0.9
ip neigh add 10.0.0.9 lladdr 02:00:00:00:00:99 dev v0
ip neigh add 10.0.1.9 lladdr 02:00:00:00:00:99 dev v1
ip rule add from 10.0.0.0/8 iif v1 table 100
ip nexthop add id 1 via 10.0.1.9 dev v1
ip route add 192.0.7.0/24 nhid 1
echo 1 >/proc/sys/net/ipv4/conf/v1/forwarding
echo 1 >/proc/sys/net/ipv4/conf/v0/forwarding
ip netns add late
ip netns set late 5
sleep 1; monitor-settle
ip link set v1 netns late
ip link add v2 address 02:00:00:00:00:03 type veth peer name v3 address 02:00:00:00:00:04 netns early
sleep 1; monitor-settle
ip netns del late
sleep 1; monitor-settle
ip link del v2
X
    told ./events 2
}

@test "monitors of files" {
    cd "$BATS_TEST_TMPDIR"
    python3 "$HERE/monitor-files.py"
    while read -r line; do
        run -0 /usr/sbin/$line
        real=$output
        run -0 env NLSH_TRACE=trace "$NLSH" $line
        diff <(echo "$real") <(echo "$output")
    done <<'X'
ip monitor prefix file prefixes
ip -o monitor label file prefixes
ip monitor mroute file multicast
ip -s monitor all file multicast
ip -d -N monitor file multicast
ip -c -s -o monitor file multicast
ip monitor dev lo file multicast
ip monitor stats file statistics
ip -o monitor label file statistics
ip monitor link file cached
ip monitor dev lo file cached
ip monitor label file newer
bridge monitor file newer
ip monitor file empty
X
    ! grep fallback trace
}

@test "a monitor among other commands, or a refused one, falls back" {
    for line in 'ip monitor | head -n 1' 'ip monitor help' 'x=$(ip monitor)' 'ip link; ip monitor' 'bridge monitor help'; do
        run -1 "$NLSH" explain --in-process "$line"
    done
    for line in 'ip monitor' 'ip -j monitor' 'bridge monitor all' 'ip monitor nosuch'; do
        run -0 "$NLSH" explain --in-process "$line"
    done
    run -1 "$NLSH" explain 'ip monitor'
}
