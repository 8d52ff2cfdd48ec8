#!/usr/bin/env bats
# An exec'd shell line makes a change and then shows more than a pipe holds. With nlsh and without, the process must wait for its reader, and the
# line's later commands must wait, too. Each run has a namespace with 200 bridges.

load sanitizer

setup_file() {
    export SHARED
    SHARED=$(mktemp -d)
    for number in {1..200}; do echo "link add br$number type bridge"; done >"$SHARED/bridges"
    cat >"$SHARED/reader.py" <<'END'
import os, signal, subprocess, time
child = subprocess.Popen("ip link set lo mtu 1404; ip -d link", shell=True, stdout=subprocess.PIPE)
time.sleep(0.3)
if "LD_PRELOAD" in os.environ:
    os.kill(int(os.environ["SERVER"]), signal.SIGKILL)
lines = child.stdout.read().count(b"\n")
print(lines if child.wait() == 0 else "killed")
END
}

teardown_file() {
    rm -rf "$SHARED"
}

setup() {
    SOCKET=$SHARED/$BATS_TEST_NUMBER
    serve "$SOCKET"
}

teardown() {
    end_server 2>/dev/null || true
}

# equal SCRIPT: must print the same with the preload and without it, in a network namespace with 200 bridges.
equal() {
    local AROUND=(unshare -n env SERVER="$server" OUT="$BATS_TEST_TMPDIR/out") TRACE=$BATS_TEST_TMPDIR/trace
    twin NLSH_SOCKET="$SOCKET" LD_PRELOAD="$PRELOAD" NLSH_TRACE="$TRACE" -- bash -c 'ip -batch "$SHARED/bridges"; '"$1"
}

natives() {
    grep -cP "^exec\tnative\t.*$1" "$BATS_TEST_TMPDIR/trace"
}

@test "later output comes after the line's output" {
    equal "(sh -c 'ip link set lo mtu 1400; ip -d link'; echo DONE) | { sleep 0.5; tail -1; }"
    [ "$(<"$BATS_TEST_TMPDIR/plain")" = DONE ]
}

@test "a reader that closes early stops the line's later commands" {
    equal "sh -c 'ip link set lo mtu 1404 && ip -d link && ip link set lo mtu 1406' | { head -c 10; exec <&-; }
    echo \${PIPESTATUS[0]}; ip link show lo | grep -o mtu.[0-9]*"
    cat "$BATS_TEST_TMPDIR/plain" # of a failure
    [ "$(<"$BATS_TEST_TMPDIR/plain")" = $'1: lo: <LO141\nmtu 1404' ]
}

@test "no output is lost if the server dies" {
    equal '/usr/bin/python3 "$SHARED/reader.py"'
    [ "$(<"$BATS_TEST_TMPDIR/plain")" = 602 ]
}

@test "with output to a file the line is native, and its output is in order" {
    equal "sh -c 'ip link set lo mtu 1404; ip -br link; ip link set lo mtu 1405; ip link set nosuch up; echo end' >\$OUT 2>&1
    echo \$?; wc -l <\$OUT; grep -v :.*: \$OUT; ip link show lo | grep -o mtu.[0-9]*"
    [ "$(natives 1404)" = 1 ]
}

@test "a show before a change is native if its output fits a page" {
    equal "for show in 'link show lo' 'link'; do
        sh -c \"ip -br \$show; ip link set lo mtu 1404\" | { sleep 0.2; wc -l; }
    done; ip link show lo | grep -o mtu.[0-9]*"
    [ "$(natives 'show lo; ')" = 1 ]
    [ "$(natives 'br link; ')" = 0 ]
}

@test "little output, and errors to a pipe that isn't empty" {
    equal "{ sh -c 'ip link set lo mtu 1404; ip -br link show lo | grep -q lo && echo yes; ip link set nosuch up'; echo \$?; } 2>&1 | { sleep 0.2; cat; }
    { echo before; bash -c 'echo a; ip link set nosuch up; echo b'; echo after; } 2>&1 | cat"
    [ "$(natives nosuch)" = 2 ]
}

@test "many commands that all fail, to a pipe and to a file" {
    equal "line=\$(for number in {1..40}; do echo \"ip link set nosuch\$number up\"; done)
    sh -c \"\$line\" 2>&1 | { sleep 0.2; md5sum; }
    sh -c \"\$line; ip link set lo mtu 1404\" >\$OUT 2>&1
    md5sum <\$OUT; ip link show lo | grep -o mtu.[0-9]*"
    [ "$(natives nosuch)" = 2 ]
}
