#!/usr/bin/env bats
# Unmodified programs from Debian run ip and bridge in a fresh network namespace, without nlsh and with it. Their output and the kernel's
# final state must be equal; NLSH_TRACE has the intercepted calls. packaging/setup --tests only unpacks packages that would start or enable
# daemons.

load sanitizer

setup_file() {
    export UNPACKED=$ROOT/build/clients
    share_server 600 # nrpe isn't root, and must reach the socket and the trace
    mkdir "$SHARED/bin"
    ln -s "$BUILD/nlsh" "$SHARED/bin/ip"
    ln -s "$BUILD/nlsh" "$SHARED/bin/bridge"
}

teardown_file() { end_shared_server; }

setup() {
    cd "$BATS_TEST_DIRNAME/clients"
    trace=$SHARED/trace.$BATS_TEST_NUMBER
    install -m 666 /dev/null "$trace"
}

# client PROGRAM: sets $program to its path; skips the test if the package is missing.
client() {
    program=$(PATH=$UNPACKED/usr/sbin:$UNPACKED/usr/bin:$PATH command -v "$1") || skip "$1 isn't installed"
}

# compare NATIVE FALLBACK VARIABLE=VALUE… -- COMMAND…: runs COMMAND without and with the variables. NATIVE of its calls of ip and bridge must be
# native, and FALLBACK must fall back ("+": at least one).
compare() {
    local native=$1 fallbacks=$2 variables=()
    shift 2
    while [ "$1" != -- ]; do
        variables+=("$1")
        shift
    done
    shift
    timeout "$(seconds 60)" unshare -n -- ./namespace.sh "$BATS_TEST_TMPDIR/plain" "$@" 3>&- &
    timeout "$(seconds 60)" unshare -n -- ./namespace.sh "$BATS_TEST_TMPDIR/nlsh" \
        env NLSH_SOCKET="$SHARED/sock" NLSH_TRACE="$trace" "${variables[@]}" "$@"
    wait $!
    cat "$trace"
    diff "$BATS_TEST_TMPDIR/plain.out" "$BATS_TEST_TMPDIR/nlsh.out"
    diff "$BATS_TEST_TMPDIR/plain.state" "$BATS_TEST_TMPDIR/nlsh.state"
    count native "$native"
    count fallback "$fallbacks"
}

count() { # HOW EXPECTED
    local found
    # Skip commands that the shell of a fallback execs: ways.bats tests those.
    found=$(grep -vF $'\tno ip or bridge\t' "$trace" | grep -vE $'^(exec|spawn)\t' | cut -f2 | grep -cx -e "$1") || true
    echo "$1: $found, expected $2"
    [ "$2" = + ] && [ "$found" -gt 0 ] || [ "$found" = "$2" ]
}

preloaded() { # NATIVE FALLBACK COMMAND…
    local native=$1 fallbacks=$2
    shift 2
    compare "$native" "$fallbacks" LD_PRELOAD="$BUILD/libnlsh-preload.so" -- "$@"
}

@test "lua5.4: os.execute and io.popen" {
    client lua5.4
    preloaded 32 2 "$program" client.lua
}

@test "php: exec, shell_exec, system, passthru and popen" {
    client php
    preloaded 6 1 "$program" client.php
}

@test "busybox awk: system() and getline" {
    client busybox
    preloaded 8 0 "$program" awk -f client.awk
}

@test "original-awk: system() and getline" {
    client original-awk
    preloaded 8 0 "$program" -f client.awk
}

@test "mawk: system()" {
    client mawk
    preloaded 7 0 "$program" -f client.awk
}

@test "gawk: system()" {
    client gawk
    preloaded 7 0 "$program" -f client.awk
}

@test "GNU sed: the e command and flag" {
    client sed
    preloaded 4 0 sh -c "printf 'x\nx\nx\nx\n' | '$program' -f client.sed"
}

@test "python3: os.system" {
    preloaded 7 1 /usr/bin/python3 -B client.py
}

@test "sqlite3: .shell" {
    client sqlite3
    preloaded 4 0 sh -c "'$program' :memory: <client.sql"
}

@test "gnuplot: system and data from a command" {
    client gnuplot
    preloaded 5 0 "$program" client.gnuplot
}

@test "watch" {
    client watch
    preloaded + 0 ./watch.sh
}

@test "pptp: popen of ip route" {
    client pptp
    preloaded 2 0 ./pptp.sh "$program"
}

@test "knockd: system() in a child" {
    client knockd
    preloaded + 0 ./knockd.sh "$program"
}

@test "portsentry: system() in a daemon without descriptors 0 to 2, in a container with its own server" {
    client portsentry
    preloaded 1 0 ./portsentry.sh "$program" "$BUILD/nlsh"
}

@test "nrpe: a cleared environment, not root" {
    client nrpe
    # Its calls are spawned with an empty environment, which has no NLSH_TRACE.
    preloaded 0 0 /usr/bin/python3 -B nrpe.py "$program"
}

@test "snmpd: extend-sh in a long-lived process" {
    client snmpget
    local snmpget=$program
    client snmpd
    preloaded 2 0 ./snmpd.sh "$program" "$snmpget"
}

@test "dnsmasq: configured by a command, and not disturbed" {
    client dnsmasq
    preloaded 1 0 ./dnsmasq.sh
}

# A program writes a batch's lines: nlsh runs in place of ip and bridge, and writes the trace itself.
@test "lua5.4: io.popen for writing, line by line" {
    client lua5.4
    preloaded + + "$program" client_write.lua
    [ "$(grep -c $'\tbatch by nlsh\t' "$trace")" = 11 ]
    [ "$(grep -cE $'^(ip|bridge)\tnative\t' "$trace")" -ge 7 ]
}

@test "gawk and original-awk: print | command" {
    for awk in gawk original-awk; do
        client "$awk"
        : >"$trace"
        preloaded + + "$program" -f client_write.awk
        grep -q $'^ip\tnative\t' "$trace"
    done
}

@test "sqlite3: .output |command" {
    client sqlite3
    preloaded 2 2 sh -c "'$program' :memory: <client_write.sql"
}

@test "popen of nlsh itself for writing" {
    client lua5.4
    run -0 env LD_PRELOAD="$BUILD/libnlsh-preload.so" NLSH_SOCKET="$SHARED/sock" unshare -n "$program" -e "
        local stream = io.popen('$BUILD/nlsh -', 'w')
        stream:write('ip link set lo up\nip -o link show lo | grep -o LOOPBACK,UP\nip link set nosuch up\n')
        print(stream:close())"
    [ "${lines[0]}" = "LOOPBACK,UP" ]
    [ "${lines[-1]}" = $'nil\texit\t1' ]
}

@test "a shell script, nlsh's ip and bridge in PATH" {
    compare + + PATH="$SHARED/bin:$PATH" -- ./script.sh
}

@test "a Python script's subprocesses, nlsh's ip and bridge in PATH" {
    compare 7 1 PATH="$SHARED/bin:$PATH" -- /usr/bin/python3 -B script.py
}

@test "a Go program's os/exec, nlsh's ip and bridge in PATH" {
    client go
    GO111MODULE=off timeout 300 "$program" build -o "$BATS_TEST_TMPDIR/exec" exec.go
    compare + + PATH="$SHARED/bin:$PATH" -- "$BATS_TEST_TMPDIR/exec"
}
