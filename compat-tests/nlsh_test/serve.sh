# Starts a server and its callers, for sh. NLSH and PRELOAD name nlsh and the preload. For valgrind, NLSH_SERVE_PREFIX and
# NLSH_SERVE_OPTIONS are words before and after the server's command.

# serve [SOCKET [OPTION…]]: starts a server and waits for its last socket; $server is its pid. Without a SOCKET, or with an empty one, the server
# uses its default. Fails if the server ends, or takes a minute.
serve() {
    serve_last=${1:-${NLSH_SOCKET:-/run/nlsh/nlsh.sock}}.$(($(getconf _NPROCESSORS_CONF) - 1))
    serve_left=6000
    if [ -n "${1-}" ]; then set -- --socket "$@"; elif [ $# -gt 0 ]; then shift; fi
    rm -f "$serve_last"
    ${NLSH_SERVE_PREFIX-} "$NLSH" serve "$@" ${NLSH_SERVE_OPTIONS-} 3>&- &
    server=$!
    until [ -S "$serve_last" ]; do
        serve_left=$((serve_left - 1))
        [ $serve_left -gt 0 ] && kill -0 "$server" 2>/dev/null || return 97
        sleep 0.01
    done
}

end_server() {
    kill "$server" && wait "$server"
}

preloaded() { # COMMAND…
    LD_PRELOAD=$PRELOAD "$@"
}

# call LINE…: runs each line by system() in a program under the preload.
call() {
    preloaded lua5.4 "$ROOT/compat-tests/nlsh_test/call.lua" "$@"
}
