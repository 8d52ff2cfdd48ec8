#!/usr/bin/env bats
# Releases side by side: a daemon keeps its preload for months while the server is upgraded (packaging/docs/protocol.md, "Versions"). Each test
# pairs a part of the previous release (build/previous) with a part of this one. The caller's output and the final network must equal the real
# tools'. The terminal gets the totals: native calls, and reasons for fallbacks. Run compat-tests/versions/build first. CI has no time for this
# second build, so it skips these tests with that reason.

load sanitizer

setup_file() {
    unsanitized "the previous release is a release build"
    local status=0
    PREVIOUS=$("$BATS_TEST_DIRNAME/versions/build" --cached) || status=$?
    export PREVIOUS MISSING=
    [ $status != 77 ] || MISSING=$PREVIOUS
    [ -z "$MISSING" ] || return 0 # bats 1.8 can skip only in tests
    [ $status = 0 ]
    cd "$BATS_FILE_TMPDIR"
    for release in "$PREVIOUS" "$BUILD"; do
        local header=$ROOT/shim/library
        [ "$release" = "$BUILD" ] || header=$PREVIOUS/source/shim/library
        gcc -std=c17 -Wall -Wextra -I "$header" $([ "$release" = "$BUILD" ] || echo -Dfallback=handed_over) \
            "$BATS_TEST_DIRNAME/versions/library_caller.c" -o "library_caller.${release##*/}" "$release/libnlsh.so"
    done
    in_namespace python3 -B "$BATS_TEST_DIRNAME/versions/caller.py" >plain
    ! grep ' hung' plain
    [ "$(wc -c <plain)" -gt 60000 ]
}

setup() {
    [ -z "$MISSING" ] || skip "$MISSING"
    cd "$BATS_TEST_TMPDIR"
    chmod 700 .
    trace=$PWD/trace
    : >"$trace"
}

teardown() {
    [ ! -e server.pid ] || kill "$(<server.pid)" 2>/dev/null || true
    touch enough # ends the daemon
}

in_namespace() { # VARIABLE=VALUE… COMMAND…
    timeout "$(seconds 200)" unshare -n -- "$BATS_TEST_DIRNAME/versions/namespace.sh" "$@"
}

serve() { # RELEASE'S BUILD
    "$1/nlsh" serve --log off --socket "$PWD/sock" 3>&- & # not by timeout(1): kill -9 must hit the server
    echo $! >server.pid
    until compgen -G "$PWD/sock.*" >/dev/null; do sleep 0.02; done
}

stop() {
    kill "$(<server.pid)"
    wait "$(<server.pid)"
    rm -f server.pid
}

totals() { # prints how many calls were native, and why the others fell back
    local native fallback
    native=$(grep -c $'\tnative\t' "$trace" || true)
    fallback=$(grep -cE $'\t(fallback|handed-over)\t' "$trace" || true)
    echo "# $BATS_TEST_DESCRIPTION: $native native, $fallback fell back" >&3
    grep -E $'\t(fallback|handed-over)\t' "$trace" | cut -f6 | sort | uniq -c | sort -rn | head -n 4 | sed 's/^/#   /' >&3
}

# same VARIABLE=VALUE…: with the variables, the caller must have the same output and final network as with the real tools.
same() {
    in_namespace NLSH_SOCKET="$PWD/sock" NLSH_TRACE="$trace" "$@" python3 -B "$BATS_TEST_DIRNAME/versions/caller.py" >nlsh
    totals
    diff "$BATS_FILE_TMPDIR/plain" nlsh
    [ -s "$trace" ]
}

descriptors() {
    ls "/proc/$(<server.pid)/fd" | wc -l
}

@test "the previous preload, this server" {
    serve "$BUILD"
    before=$(descriptors)
    same LD_PRELOAD="$PREVIOUS/libnlsh-preload.so"
    sleep 0.5
    [ "$(descriptors)" -le $((before + 2)) ]
    stop
}

@test "this preload, the previous server" {
    serve "$PREVIOUS"
    before=$(descriptors)
    same LD_PRELOAD="$BUILD/libnlsh-preload.so"
    sleep 0.5
    [ "$(descriptors)" -le $((before + 2)) ]
    stop
}

# lane PRELOAD'S BUILD, SERVER'S BUILD: runs scenarios by the twin harness, whose totals include lines that could not run.
lane() {
    (cd "$BATS_TEST_DIRNAME" && NLSH_PRELOAD_BUILD=${1#"$ROOT/"} NLSH_BUILD=${2#"$ROOT/"} timeout --kill-after=10 400 \
        python3 -B -m runner host scenarios/{smoke,neigh,address,route,bridge-fdb}.scn --ways preload-popen,preload-system) >report || { cat report; return 1; }
    sed -n '/^[0-9]* blocks, /,$s/^/# /p' report >&3
}

@test "scenarios: the previous preload, this server" { lane "$PREVIOUS" "$BUILD"; }
@test "scenarios: this preload, the previous server" { lane "$BUILD" "$PREVIOUS"; }

@test "this preload spawns the previous nlsh without a server" {
    same LD_PRELOAD="$BUILD/libnlsh-preload.so" NLSH_PROGRAM="$PREVIOUS/nlsh"
}

@test "the previous preload with this nlsh, without a server" {
    same LD_PRELOAD="$PREVIOUS/libnlsh-preload.so" NLSH_PROGRAM="$BUILD/nlsh"
}

@test "in process: the previous preload, this engine" {
    same LD_PRELOAD="$PREVIOUS/libnlsh-preload.so" NLSH_ENGINE=inproc NLSH_ENGINE_LIBRARY="$BUILD/libnlsh-engine.so"
}

@test "in process: this preload, the previous engine" {
    same LD_PRELOAD="$BUILD/libnlsh-preload.so" NLSH_ENGINE=inproc NLSH_ENGINE_LIBRARY="$PREVIOUS/libnlsh-engine.so"
}

@test "each release's shim with the other's server and preload" {
    mkdir previous this
    for tool in ip bridge; do
        ln -s "$PREVIOUS/nlsh" previous/$tool
        ln -s "$BUILD/nlsh" this/$tool
    done
    serve "$BUILD"
    same PATH="$PWD/previous:$PATH" LD_PRELOAD="$BUILD/libnlsh-preload.so"
    : >"$trace"
    same PATH="$PWD/this:$PATH" LD_PRELOAD="$PREVIOUS/libnlsh-preload.so"
    stop
}

@test "each release's libnlsh with the other's server, and with programs built by the other's header" {
    for way in inproc server; do
        in_namespace LD_LIBRARY_PATH="$BUILD" NLSH_SOCKET="$PWD/none" NLSH_DISABLE=1 "$BATS_FILE_TMPDIR/library_caller.release" $way | grep -v '^native: ' >plain
        for pair in "$BUILD $PREVIOUS" "$PREVIOUS $BUILD"; do
            read -r library server <<<"$pair"
            serve "$server"
            for caller in "$BATS_FILE_TMPDIR"/library_caller.*; do
                in_namespace LD_LIBRARY_PATH="$library" NLSH_SOCKET="$PWD/sock" "$caller" $way >out
                echo "# libnlsh of ${library##*/}, server of ${server##*/}, ${caller##*/}, $way: $(grep '^native: ' out)" >&3
                diff plain <(grep -v '^native: ' out)
            done
            stop
        done
    done
}

@test "each release's builtin of bash with the other's engine" {
    script='for mtu in 1400 1401; do ip link set v0 mtu $mtu; done; ip -o link show v0; ip link set nosuch up; echo $?; ip -j link show br0 | head -c 400'
    in_namespace bash -c "$script" >plain
    for pair in "$BUILD $PREVIOUS" "$PREVIOUS $BUILD"; do
        read -r builtin engine <<<"$pair"
        : >"$trace"
        in_namespace BASH_ENV="$builtin/builtin.bash" NLSH_ENGINE_LIBRARY="$engine/libnlsh-engine.so" NLSH_SOCKET="$PWD/sock" NLSH_TRACE="$trace" bash -c "$script" >nlsh
        totals
        diff plain nlsh
    done
}

@test "a daemon keeps its preload while the server is upgraded, killed and downgraded" {
    cat >daemon.lua <<'LUA'
local good, bad = 0, 0
while not io.open("enough") do
    if os.execute("ip link set v0 mtu " .. 1300 + good % 100) then good = good + 1 else bad = bad + 1 end
end
print(bad .. " failed", good > 100)
LUA
    for preload in "$PREVIOUS" "$BUILD"; do
        rm -f enough
        : >"$trace"
        in_namespace NLSH_SOCKET="$PWD/sock" NLSH_TRACE="$trace" LD_PRELOAD="$preload/libnlsh-preload.so" lua5.4 daemon.lua >out 3>&- &
        daemon=$!
        for server in "$PREVIOUS" "$BUILD" "$PREVIOUS" "$BUILD"; do
            serve "$server"
            sleep 1.5
            if [ "$server" = "$BUILD" ]; then kill -9 "$(<server.pid)"; wait "$(<server.pid)" || true; rm -f sock.*; else stop; fi
        done
        touch enough
        wait $daemon
        totals
        head -n 1 out
        head -n 1 out | grep -q $'^0 failed\ttrue$'
    done
}

@test "each release's stats and doctor say that the other's server speaks another version, and end" {
    for pair in "$BUILD $PREVIOUS" "$PREVIOUS $BUILD"; do
        read -r client server <<<"$pair"
        serve "$server"
        run -1 timeout 10 "$client/nlsh" stats --socket "$PWD/sock"
        echo "$output"
        grep -q '^nlsh: ' <<<"$output"
        NLSH_SOCKET=$PWD/sock run timeout 20 "$client/nlsh" doctor
        echo "$output"
        [ "$status" = 1 ]
        stop
    done
}
