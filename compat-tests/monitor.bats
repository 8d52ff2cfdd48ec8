#!/usr/bin/env bats
# Monitors of iproute2 and of nlsh hear the same events, side by side in one fresh namespace.

bats_require_minimum_version 1.5.0

# The times of two processes differ.
untimed='s/^\[20[^]]*\]/[TIME]/; s/^Timestamp: .*/TIME/'

setup_file() {
    root=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
    export NLSH=$root/${NLSH_BUILD:-build/release}/nlsh EVENTS=$BATS_TEST_DIRNAME/monitor-events.sh
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
    timeout 100 unshare -nm bash -c '
        mount -t tmpfs run /run
        number=0 pids=
        while read -r tool words; do
            number=$((number + 1))
            /usr/sbin/$tool $words >real.$number 2>&1 & pids+=" $!"
            NLSH_TRACE=$PWD/trace "$NLSH" $tool $words >nlsh.$number 2>&1 & pids+=" $!"
        done <commands
        left=200  # until all listen: the fourth column is the groups
        until [ "$(awk "\$4 !~ /^0*\$/" /proc/self/net/netlink | wc -l)" -gt $((2 * number)) ] || [ $left = 0 ]; do
            left=$((left - 1))
            sleep 0.1
        done
        sleep 1  # and have learnt the links
        sh "$EVENTS"
        sleep 3
        kill $pids'
    number=0
    while read -r line; do
        number=$((number + 1))
        [ "$(wc -l <real.$number)" -gt 3 ]
        diff <(sed "$untimed" real.$number) <(sed "$untimed" nlsh.$number)
    done <commands
    # None was handed over, which would have been the real one's own output.
    [ ! -e trace ] || ! grep handed-over trace
}

@test "a monitor among other commands, and one in other forms, is the real one's" {
    for line in 'ip monitor | head -n 1' 'ip -j monitor' 'ip monitor file x' 'ip monitor nosuch' 'x=$(ip monitor)' \
        'ip link; ip monitor' 'bridge monitor'; do
        run "$NLSH" explain --in-process "$line"
        [ "$status" = 1 ]
    done
    run "$NLSH" explain --in-process 'ip monitor'
    [ "$status" = 0 ]
    run "$NLSH" explain 'ip monitor'
    [ "$status" = 1 ]
}
