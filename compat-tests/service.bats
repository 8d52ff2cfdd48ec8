#!/usr/bin/env bats
# nlsh serve under a service manager: socket activation, readiness, watchdog, restarts. Each test runs in its own
# network namespace.

load sanitizer

setup_file() {
    export MANAGER=$ROOT/compat-tests/service/manager.py
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    chmod 700 .
    export NLSH_SOCKET=$PWD/sock NLSH_TRACE=$PWD/trace
}

@test "socket activation: the first call starts the server, and is native" {
    inside 'python3 "$ROOT/compat-tests/service/activate.py" "$PWD/sock.0" "$NLSH" serve --socket "$PWD/sock" & server=$!
        until [ -S sock.0 ]; do sleep 0.01; done
        NLSH_TIMEOUT_MS=20000 preloaded lua5.4 -e "print(os.execute([[ip link set lo mtu 1400]]))"
        kill $server; wait $server; echo "ended: $?"; ip link show lo'
    grep -q $'true\texit\t0' out
    grep -q 'ended: 0' out
    grep -q 'mtu 1400' out
    [ "$(grep -c $'^system\tnative\t0' trace)" = 1 ]
}

@test "a first call that came before the server, without its sender, falls back; the next is native" {
    inside 'systemd-socket-activate --seqpacket -l "$PWD/sock.0" "$NLSH" serve --socket "$PWD/sock" & server=$!
        until [ -S sock.0 ]; do sleep 0.01; done
        NLSH_TIMEOUT_MS=20000 preloaded lua5.4 -e "for mtu = 1400, 1401 do print(os.execute([[ip link set lo mtu ]] .. mtu)) end"
        kill $server; wait $server; echo "ended: $?"; ip link show lo'
    [ "$(grep -c $'true\texit\t0' out)" = 2 ]
    grep -q 'mtu 1401' out
    tail -n 1 trace | grep -q $'^system\tnative\t0'
}

@test "a socket that isn't the server's is refused" {
    for line in '--seqpacket -l $PWD/other.0' '-l $PWD/sock.0'; do
        inside -1 'systemd-socket-activate '"$line"' "$NLSH" serve --socket "$PWD/sock" & server=$!
            until [ -S other.0 ] || [ -S sock.0 ]; do sleep 0.01; done
            python3 -c "import socket,glob
s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET if glob.glob(\"other.0\") else socket.SOCK_STREAM)
s.connect((glob.glob(\"other.0\") + glob.glob(\"sock.0\"))[0])"
            wait $server'
        grep -q '^nlsh: .*inherited socket' err
        rm -f other.0 sock.0
    done
}

@test "readiness and the watchdog's signs of life" {
    inside -0 'mkfifo input
        python3 "$MANAGER" "$PWD/sock" watchdog=1 notices=4 -- "$NLSH" serve --socket "$PWD/sock" <>input'
    diff <(printf 'READY=1\nWATCHDOG=1\nWATCHDOG=1\nWATCHDOG=1\n') out
    [ ! -s err ]
}

@test "restarts under load: no command fails, none is cut off" {
    inside -0 'mkfifo input
        python3 "$MANAGER" "$PWD/sock" restarts=8 -- "$NLSH" serve --socket "$PWD/sock" <input & manager=$!
        exec 3>input
        until [ -S sock.0 ]; do sleep 0.01; done
        for client in 1 2 3 4; do
            NLSH_TIMEOUT_MS=20000 preloaded lua5.4 -e "
                local bad, count = 0, 0
                while not io.open([[enough]]) do
                    count = count + 1
                    if not os.execute([[ip link set lo mtu 1400 && ip link show lo >/dev/null]]) then bad = bad + 1 end
                end
                print(count .. [[ calls, ]] .. bad .. [[ failed]])" 3>&- &
            clients+=($!)
        done
        until [ "$(grep -c READY=1 out)" -ge 8 ]; do sleep 0.1; done
        touch enough
        wait "${clients[@]}"; exec 3>&-; wait $manager'
    [ "$(grep -c ' calls, 0 failed' out)" = 4 ]
    [ "$(grep -c READY=1 out)" -ge 8 ]
    # Calls that waited in the manager's socket were native. Only calls in the other processors' sockets, which died with their server,
    # fell back.
    awk -F'\t' '$2 == "native" { native++ } END { exit !(native > 0.9 * NR) }' trace
}
