# For the bats files of unknown builds: builds under other build ids, in a folder of the test, and what nlsh says of their lines.

# Most tests need a few of the recorded lines only (replay/thin), and an nlsh beside these.
setup_file() {
    mkdir -m 755 "$BATS_FILE_TMPDIR/thin"
    cp "$NLSH" "$(dirname "$NLSH")/nlsh-replay.so" "$BATS_FILE_TMPDIR/thin"
    "$BATS_TEST_DIRNAME/replay/thin" "$(dirname "$NLSH")/nlsh-replay.xz" "$BATS_FILE_TMPDIR/thin/nlsh-replay.xz" link-show
}

# thinly: from now on nlsh has few recordings.
thinly() {
    export NLSH=$BATS_FILE_TMPDIR/thin/nlsh
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    chmod 755 . "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR"
    mkdir -m 755 tools record
    export NLSH_BUILDS=$PWD/record/qualified NLSH_REAL_IP=$PWD/tools/ip NLSH_REAL_BRIDGE=$PWD/tools/bridge
    export PATH=$PWD/tools:$PATH NLSH_SOCKET=$PWD/sock
}

# build TOOL [OLD NEW]: a copy in tools, with a build id of its own (builds/other_build.py).
build() {
    python3 -B "$BATS_TEST_DIRNAME/builds/other_build.py" "$@"
}

native() { # LINE
    "$NLSH" explain "$1" >explained || { cat explained; return 1; }
}

fallback() { # LINE REASON
    ! "$NLSH" explain "$1" >explained
    grep -q -- "$2" explained || { cat explained; return 1; }
}

same() { # LINE: nlsh says what the tools say
    diff <(unshare -n "$NLSH" -q -c "$1" 2>&1; echo $?) <(NLSH_DISABLE=1 unshare -n sh -c "$1" 2>&1; echo $?)
}

# program C: an ip of our own making, with that for its main.
program() {
    printf '#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nint main(void) { %s }\n' "$1" >ip.c
    gcc -o tools/ip ip.c
}
