#!/usr/bin/env bats
# libnlsh: a C program linked with it, in process and by the server; the 24 functions of SONiC's design, packaging/examples.

load sanitizer

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    cp "$ROOT/shim/library/nlsh.h" .
    local compile=(-std=c17 -D_GNU_SOURCE -Wall -Wextra -Werror -I . -I "$ROOT/packaging/examples")
    $COMPILER "${compile[@]}" "$ROOT/compat-tests/library/library_test.c" -o library_test -pthread "$BUILD/libnlsh.so" -Wl,-rpath,"$BUILD"
    compile+=("$ROOT/compat-tests/library/nlapi_test.c" "$ROOT/packaging/examples/nlapi.c")
    $COMPILER "${compile[@]}" -o nlapi_test "$BUILD/libnlsh.so" -Wl,-rpath,"$BUILD"
    gcc "${compile[@]}" -o nlapi_guest "$GUEST_BUILD/libnlsh.so" -Wl,-rpath,"$GUEST_BUILD"
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    chmod 700 .
}

@test "the header alone, as C99 and as C++" {
    echo '#include "nlsh.h"' >header.c
    gcc -std=c99 -pedantic-errors -Wall -Wextra -Werror -I "$BATS_FILE_TMPDIR" -c header.c
    g++ -std=c++11 -pedantic-errors -Wall -Wextra -Werror -I "$BATS_FILE_TMPDIR" -x c++ -c header.c
}

@test "only nlsh_… is exported" {
    nm -D --defined-only --format=posix "$BUILD/libnlsh.so" | cut -d' ' -f1 | grep -v '^NLSH_[0-9]*$' >symbols
    [ "$(grep -c '^nlsh_' symbols)" = 6 ]
    [ "$(wc -l <symbols)" = 6 ]
}

# The program's own text must be all of stdout and stderr: the library never writes there.
@test "in process: results, failures, values, lines that fall back, fork, 16 threads" {
    run -0 timeout "$(seconds 120)" unshare -n "$BATS_FILE_TMPDIR/library_test" inproc
    [ "$output" = "all right" ]
}

@test "by the server: the same" {
    export NLSH_SOCKET=$PWD/sock NLSH_TIMEOUT_MS=20000
    inside -0 'serve "" --log off; status=0; "$BATS_FILE_TMPDIR/library_test" server || status=$?
        "$NLSH" stats --json >stats; end_server; exit $status'
    [ "$(cat out err)" = "all right" ]
    grep -q '"native": *48[0-9][0-9],' stats
}

@test "without a server /bin/sh runs the lines; NLSH_DISABLE" {
    run -0 timeout "$(seconds 60)" unshare -n env NLSH_SOCKET="$PWD/none" "$BATS_FILE_TMPDIR/library_test" absent
    [ "$output" = "all right" ]
    run timeout "$(seconds 60)" unshare -n env NLSH_DISABLE=1 NLSH_TRACE="$PWD/trace" "$BATS_FILE_TMPDIR/nlapi_test"
    grep -q $'^libnlsh\tfallback\t-\t-\tip link set Ethernet4 mtu 9000\tNLSH_DISABLE is set\t' trace
    ! grep -q $'\tnative\t' trace
}

@test "the 24 functions of nlapi.c do what their lines do by the real tools (guest)" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: half a minute in User-Mode Linux"
    guest_sanitizer
    cd "$ROOT/compat-tests"
    run timeout "$(seconds 590)" python3 -B -m runner exec -- sh "$ROOT/compat-tests/library/nlapi.sh" "$BATS_FILE_TMPDIR/nlapi_guest"
    echo "$output"
    [ "$status" = 0 ]
    [[ "$output" == *"all 24 work"* ]]
    [[ "$output" == *"lines of state alike; "[0-9]*" native"* ]]
    [[ "$output" != *fallback* ]]
    no_guest_report
}
