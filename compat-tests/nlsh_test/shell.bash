# Functions for bats files: a server, a script in its own namespace, a program with and without nlsh. `load sanitizer` loads them and sets the paths.

. "$ROOT/compat-tests/nlsh_test/serve.sh"

# inside [-STATUS] SCRIPT [UNSHARE-OPTION…]: runs it by bash in fresh namespaces, with the functions `serve`, `end_server` and `preloaded`. The files
# out and err get output and errors, $status the status. As with `run`, another status than STATUS fails the test.
inside() {
    local wanted=
    [[ $1 != -[0-9]* ]] || { wanted=${1#-} && shift; }
    local script=$1
    shift
    status=0
    timeout "$(seconds 60)" unshare -n "$@" bash -c '. "$ROOT/compat-tests/nlsh_test/serve.sh"; '"$script" >out 2>err || status=$?
    has_status "$wanted" out err
}

# has_status WANTED FILE…: fails, and shows the files, if $status isn't WANTED; an empty WANTED is any.
has_status() {
    [ -z "$1" ] || [ "$status" = "$1" ] || {
        echo "status $status, expected $1"
        tail -n 40 "${@:2}"
        return 1
    }
}

# or_skip COMMAND…: as `run -0`, and shows the output. Status 77 skips the test, with the last line as the reason.
or_skip() {
    run "$@"
    echo "$output"
    [ "$status" != 77 ] || skip "${lines[-1]}"
    [ "$status" = 0 ]
}

# share_server [LIMIT]: for setup_file; makes a folder $SHARED that all users may enter, and starts a server at $SHARED/sock.
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

# twin VARIABLE=VALUE… -- COMMAND…: COMMAND must print the same without the variables and with them, each time in a new network namespace. The files
# `plain` and `nlsh` in the test's folder get stdout and stderr. AROUND: the command that makes the namespace. TRACE: a file to print with the test.
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
