# For bats files, by `load sanitizer`, which says where nlsh is: the server, a script in a namespace of its own, a program without nlsh and with it.

. "$ROOT/compat-tests/nlsh_test/serve.sh"

# inside SCRIPT [UNSHARE-OPTION…]: runs it by bash in fresh namespaces, where `serve`, `end_server` and `preloaded` are known; its output,
# errors and status are left in out, err, $status.
inside() {
    local script=$1
    shift
    status=0
    timeout "$(seconds 60)" unshare -n "$@" bash -c '. "$ROOT/compat-tests/nlsh_test/serve.sh"; '"$script" >out 2>err || status=$?
}

# share_server [LIMIT]: for setup_file; a folder $SHARED that all may enter, and a server at $SHARED/sock.
share_server() {
    export SHARED SHARED_SERVER
    SHARED=$(mktemp -d)
    chmod 755 "$SHARED"
    NLSH_SERVE_PREFIX="timeout $(seconds "${1:-300}") ${NLSH_SERVE_PREFIX-}" serve "$SHARED/sock"
    SHARED_SERVER=$server
}

# For teardown_file.
end_shared_server() {
    kill "$SHARED_SERVER" && wait "$SHARED_SERVER"
    rm -rf "$SHARED"
}

needs() { # PROGRAM
    command -v "$1" >/dev/null || skip "$1 isn't installed"
}

# twin VARIABLE=VALUE… -- COMMAND…: in a network namespace of its own it prints the same without the variables and with them, on stdout and
# stderr together; `plain` and `nlsh` in the test's folder. AROUND: what makes the namespace. TRACE: a file to show in the test's output.
twin() {
    local variables=() plain=$BATS_TEST_TMPDIR/plain nlsh=$BATS_TEST_TMPDIR/nlsh
    local around=("${AROUND[@]}")
    [ ${#around[@]} -gt 0 ] || around=(unshare -n)
    while [ "$1" != -- ]; do
        variables+=("$1")
        shift
    done
    shift
    timeout "$(seconds 120)" "${around[@]}" "$@" >"$plain" 2>&1
    timeout "$(seconds 120)" "${around[@]}" env "${variables[@]}" "$@" >"$nlsh" 2>&1
    [ -z "${TRACE-}" ] || cat "$TRACE"
    diff "$plain" "$nlsh"
}
