#!/usr/bin/env bats
# If stdout can't be written, echo fails, and a command after && doesn't run. Each way must do the same as the real shell.

load sanitizer

setup_file() {
    share_server 2>/dev/null
    rows exec >"$SHARED/exec"
    rows system >"$SHARED/system"
}

teardown_file() { end_shared_server; }

# rows WAY VARIABLE=VALUE…
rows() {
    local way=$1
    shift
    timeout "$(seconds 120)" unshare -n env "$@" /usr/bin/python3 -B "$BATS_TEST_DIRNAME/sinks/sinks.py" "$way"
}

# equal REAL WAY VARIABLE=VALUE…: the rows by WAY must equal the real shell's rows by the way REAL.
equal() {
    local real=$1
    shift
    rows "$@" >"$BATS_TEST_TMPDIR/rows"
    diff "$SHARED/$real" "$BATS_TEST_TMPDIR/rows"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/rows")" = 105 ]
}

@test "exec" {
    equal exec exec NLSH_SOCKET="$SHARED/sock" LD_PRELOAD="$BUILD/libnlsh-preload.so" NLSH_TRACE="$SHARED/trace"
    grep -q $'^exec\tnative' "$SHARED/trace"
}
@test "system" { equal system system NLSH_SOCKET="$SHARED/sock" LD_PRELOAD="$BUILD/libnlsh-preload.so"; }
@test "in process" { equal system system NLSH_ENGINE=inproc LD_PRELOAD="$BUILD/libnlsh-preload.so"; }
@test "nlsh -c" { equal exec "$BUILD/nlsh"; }
