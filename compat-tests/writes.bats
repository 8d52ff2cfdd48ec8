#!/usr/bin/env bats
# If a command of a line can't write, the line must do the same as with the real shell and tools, by each way.

load sanitizer

# Every fifth case, and all cases with a reader that closes early. WRITES_EVERY=1 runs all 6,440 (an hour on a busy machine).
export WRITES_EVERY=${WRITES_EVERY:-5}

battery() {
    timeout --kill-after=10 "$(seconds 900)" "$BATS_TEST_DIRNAME/writes/battery.py" "$BUILD" "$BATS_TEST_TMPDIR" "$@"
}

@test "failed writes, by the server: status, texts and the kernel's state equal the real tools'" {
    battery system popen
}

@test "failed writes, in process" {
    battery inproc-system inproc-popen
}

@test "failed writes, nlsh -c" {
    battery nlsh-c
}

@test "failed writes, ip and bridge by the shim" {
    battery shim
}

@test "the shell's own complaints are printed: a deleted working directory, SHLVL, BASH_COMPAT" {
    cd "$BATS_TEST_TMPDIR"
    mkdir gone
    for variable in PLAIN=1 SHLVL=1000 BASH_COMPAT=99; do
        for line in 'ip link show lo' 'bash -c "ip link show lo"'; do
            (cd gone && rmdir ../gone && env "$variable" unshare -n sh -c "$line") >real-out 2>real-err || true
            mkdir gone
            (cd gone && rmdir ../gone && env "$variable" unshare -n "$NLSH" -c "$line") >out 2>err || true
            mkdir gone
            diff real-out out && diff real-err err
            env "$variable" unshare -n sh -c "$line" >real-out 2>real-err
            env "$variable" unshare -n "$NLSH" -c "$line" >out 2>err
            diff real-out out && diff real-err err
        done
    done
}

@test "ip -c=auto on a terminal, in process: in colour" {
    cd "$BATS_TEST_TMPDIR"
    call='import ctypes; ctypes.CDLL(None).system(b"ip -c=auto link show lo")'
    script -qec "unshare -n python3 -c '$call'" /dev/null >real
    NLSH_TRACE=$PWD/trace NLSH_ENGINE=inproc LD_PRELOAD=$PRELOAD \
        script -qec "unshare -n python3 -c '$call'" /dev/null >ours
    grep -q $'\e\[' real
    diff real ours
    grep -q $'^system\tnative' trace
}

@test "the same by the server: where the line says auto, the terminal comes with it" {
    cd "$BATS_TEST_TMPDIR"
    export NLSH_SOCKET=$PWD/sock
    serve "$NLSH_SOCKET" --log off
    for line in 'ip -c=auto link show lo' 'ip -d -c=auto addr'; do
        call="import ctypes; ctypes.CDLL(None).system(b\"$line\")"
        echo "$call" >call.py
        script -qec "unshare -n python3 call.py" /dev/null >real
        NLSH_TIMEOUT_MS=60000 NLSH_TRACE=$PWD/trace LD_PRELOAD=$PRELOAD script -qec "unshare -n python3 call.py" /dev/null >ours
        grep -q $'\e\[' real
        diff real ours
    done
    end_server
    [ "$(grep -c $'^system\tnative' trace)" = 2 ]
}
