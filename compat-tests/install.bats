#!/usr/bin/env bats
# cmake --install, man pages, completion. All that installs does so in an overlay (compat-tests/overlay).

bats_require_minimum_version 1.5.0

setup_file() {
    cd "$BATS_TEST_DIRNAME/.."
    ROOT=$PWD
    export ROOT BUILD=$ROOT/build/release
}

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# inside SCRIPT: in a fresh overlay; its output and errors are left in out, its status in $status.
inside() {
    status=0
    timeout 120 "$ROOT/compat-tests/overlay" 'set -euo pipefail
        # A server, and a program under the preload: the program prints what became of its line.
        start_server() { nlsh serve & server=$!; until [ -S /run/nlsh/nlsh.sock.0 ]; do sleep 0.01; done; }
        '"$1" >out 2>&1 || status=$?
}

@test "cmake --install: another prefix, the preload by its \$LIB" {
    inside 'cmake --install '"$BUILD"' --prefix /usr/local >/dev/null; hash -r
        [ "$(command -v nlsh)" = /usr/local/bin/nlsh ]
        nlsh run -- lua5.4 -e "print(os.execute([[ip link set lo mtu 1400]]))"
        start_server
        NLSH_TRACE=$PWD/trace LD_PRELOAD="/usr/local/\$LIB/nlsh/libnlsh-preload.so" lua5.4 -e "os.execute([[ip link set lo up]])"
        kill $server; wait $server; cut -f1-3 trace'
    [ "$status" = 0 ]
    grep -q $'^true\texit\t0' out
    [ "$(tail -1 out)" = $'system\tnative\t0' ]
}

@test "man pages: mandoc and groff have nothing to say" {
    mandoc -Tlint -Wwarning "$ROOT"/packaging/man/*
    for page in "$ROOT"/packaging/man/*; do
        run groff -ww -mandoc -Tutf8 -z "$page"
        [ -z "$output" ]
    done
}

@test "man pages name each command and option that nlsh has" {
    "$BUILD/nlsh" --help | sed -n '/^Subcommands:/,$s/^  \([a-z]*\) .*/\1/p' | while read -r command; do
        grep -q "Cm $command" "$ROOT/packaging/man/nlsh.1" || { echo "nlsh.1: $command"; exit 1; }
    done
    "$BUILD/nlsh" --help | grep -oE '^  (-.,)?--?[a-z-]+' | grep -oE -- '-[a-z-]+$' | while read -r option; do
        [ "$option" = --help ] || grep -q -- "Fl ${option#-}" "$ROOT/packaging/man/nlsh.1" || { echo "nlsh.1: $option"; exit 1; }
    done
}

@test "completion" {
    complete_() { # WORD…: what bash would offer for the last one
        bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _nlsh; printf "%s\n" "${COMPREPLY[@]}"' \
            "$ROOT/packaging/completion/nlsh" "$BUILD/nlsh" "$@"
    }
    [ "$(complete_ se)" = serve ]
    [ "$(complete_ ex)" = explain ]
    complete_ "" | grep -qx bridge
    [ "$(complete_ explain --js)" = --json ]
    [ "$(complete_ --for)" = --force ]
    : >lines.txt
    [ "$(complete_ lin)" = lines.txt ]
    complete_ run -- lua5 | grep -q '^lua5'
    [ "$(complete_ serve --sock)" = --socket ]
    [ -z "$(complete_ -c ip)" ]
}
