#!/usr/bin/env bats
# Without a server, an exec of `sh -c LINE` becomes one of `nlsh -c LINE`: one exec for the whole line, with the rights that the
# kernel would give the shell. Output, status and network are the same as without nlsh.

bats_require_minimum_version 1.5.0
load sanitizer

setup_file() {
    export SHARED
    SHARED=$(mktemp -d)
    chmod 755 "$SHARED"
    cp "$BUILD/nlsh" "$BUILD/libnlsh-preload.so" "$SHARED"
    cat >"$SHARED/lines.py" <<'END'
import subprocess
for line in ("ip link set lo mtu 1404 && ip -o link show lo", "ip link set nosuch up || echo no", "ip link set lo mtu 1; ip -br link show lo",
             "ip link show lo | while read a b; do echo $b; done", "exit 3; ip", "ip link set lo mtu 1405 2>/dev/null; echo $?",
             "ip nonsense; ip -br link show lo", "ip link show lo >/dev/full && ip link set lo mtu 1406; ip -o link show lo"):
    print(subprocess.run(["sh", "-c", line], capture_output=True, stdin=subprocess.DEVNULL))
END
}

teardown_file() {
    rm -rf "$SHARED"
}

# equal COMMAND…: it prints the same by the preload and without it. The trace is open for any user.
equal() {
    : >"$SHARED/trace"
    chmod 666 "$SHARED/trace"
    TRACE=$SHARED/trace twin LD_PRELOAD="$SHARED/libnlsh-preload.so" NLSH_TRACE="$SHARED/trace" NLSH_SOCKET="$SHARED/none" -- "$@"
}

spawned() {
    grep -cP "^exec\tnative\t.*\tspawned: " "$SHARED/trace"
}

@test "without a server, as root" {
    equal /usr/bin/python3 "$SHARED/lines.py"
    [ "$(spawned)" -ge 5 ]
}

@test "as another user, and with few capabilities" {
    equal setpriv --reuid 1000 --regid 1000 --clear-groups /usr/bin/python3 "$SHARED/lines.py"
    [ "$(spawned)" -ge 5 ]
    equal setpriv --bounding-set -sys_module,-sys_admin --no-new-privs /usr/bin/python3 "$SHARED/lines.py"
    [ "$(spawned)" -ge 5 ]
}

@test "a program that others may write, or that isn't there, is left alone" {
    chmod 775 "$SHARED/nlsh"
    equal /usr/bin/python3 "$SHARED/lines.py"
    [ "$(spawned)" = 0 ] || false
    chmod 644 "$SHARED/nlsh"
    equal /usr/bin/python3 "$SHARED/lines.py"
    [ "$(spawned)" = 0 ] || false
    mv "$SHARED/nlsh" "$SHARED/other"
    equal /usr/bin/python3 "$SHARED/lines.py"
    mv "$SHARED/other" "$SHARED/nlsh"
    chmod 755 "$SHARED/nlsh"
    [ "$(spawned)" = 0 ]
}

@test "closed standard descriptors, signals that are ignored, a shell with another name" {
    equal bash -c 'for closed in "<&-" ">&-" "2>&-" "<&- >&- 2>&-"; do
        eval "sh -c \"ip -o link show lo; ip link set nosuch up\" $closed"; echo $?
    done 2>&1
    (trap "" PIPE TERM; sh -c "ip -br link show lo; ip link set lo mtu 1407"; echo $?)
    (exec -a name sh -c "ip -br link show lo; nonsense"); dash -c "ip -br link show lo; nonsense"; sh -c "ip link set nosuch up; nonsense ip"; true'
}

@test "a show after a change, which a server leaves to a process that may wait" {
    serve "$SHARED/none" 2>/dev/null
    equal bash -c 'env sh -c "ip link set lo mtu 1404; ip -br link show lo" | cat'
    end_server || true
    grep -q $'^exec\tnative.*spawned: its output would have to wait' "$SHARED/trace"
}
