#!/usr/bin/env bats
# The documents say what is so: their commands run (compat-tests/docs/run.py says how), their lines are native or not, their
# quotations are in the sources.

bats_require_minimum_version 1.5.0
load sanitizer

setup_file() {
    export DOCS=$ROOT/packaging/docs
}

# run_document FILE DIRECTORY [SCRIPT]: in an overlay where nlsh is installed, after SCRIPT. gcc is one that can link a sanitizer's build.
run_document() {
    timeout "$(seconds 500)" "$ROOT/compat-tests/overlay" 'cmake --install "$BUILD" --prefix /usr >/dev/null &&
        { [ -z "$RUNTIME" ] || printf "#!/bin/sh\nexec %s \"\$@\"\n" "$COMPILER" | install -m 755 /dev/stdin /usr/local/bin/gcc; } && hash -r && cd "$3" && eval "$4" &&
        python3 "$1/compat-tests/docs/run.py" "$2" "$1"' "$ROOT" "$1" "$2" "${3:-}"
}

@test "adopting.md" { run_document "$DOCS/adopting.md" /tmp/work; }

@test "native.md" { run_document "$DOCS/native.md" /tmp/work; }

@test "architecture.md" { run_document "$DOCS/architecture.md" /tmp/work; }

@test "library.md" {
    run_document "$DOCS/library.md" /tmp/work ldconfig
    # Its table is the example's lines, all 24.
    diff <(sed -n 's/^| `\(nlapi_[a-z_]*\)` | `\(.*\)` |$/\1 \2/p' "$DOCS/library.md" | sed 's/\\|/|/g') \
        <(sed -n 's/^int \(nlapi_[a-z_]*\)(.*/\1/p; s/^    return nlsh_runf(n, [a-zA-Z]*, "\([^"]*\)".*/\1/p' "$ROOT/packaging/examples/nlapi.c" | paste -d' ' - -)
    [ "$(grep -c '^| `nlapi_' "$DOCS/library.md")" = 24 ]
}

@test "containers.md" { run_document "$DOCS/containers.md" /tmp/work; }

# What its lines run beside nlsh: a daemon, a script, a file of lines.
@test "README.md" {
    run_document "$ROOT/README.md" "$ROOT" 'printf "ip link set lo up\nip link show lo\n" >setup.lines
        echo "os.execute([[ip link set lo mtu 1400]]) print(io.popen([[ip link show lo]]):read())" >daemon.lua
        printf "#!/bin/sh\nexec lua5.4 $PWD/daemon.lua\n" >/usr/local/bin/daemon
        printf "#!/bin/sh\nip link show lo\n" >/usr/local/bin/script.sh
        chmod +x /usr/local/bin/daemon /usr/local/bin/script.sh
        ip link add eth0 type veth peer name eth1'
}

@test "no document is left out" {
    cd "$ROOT"
    # Developers' commands, which other tests run: the runner's (lanes.bats).
    local elsewhere=" compat-tests/README.md "
    for document in $(git ls-files '*.md'); do
        grep -q '^```\(sh\|native\|handed-over\)$' "$document" || continue
        [[ $elsewhere == *" $document "* ]] || grep -q "@test \"$(basename "$document")\"" "$BATS_TEST_FILENAME" || {
            echo "$document"
            return 1
        }
    done
}

@test "commands and options that the documents name exist" {
    cd "$ROOT"
    nlsh=$NLSH
    { printf 'ip\nbridge\n'; "$nlsh" --help | sed -n '/^Subcommands:/,$s/^  \([a-z]*\) .*/\1/p'; } >"$BATS_TEST_TMPDIR/commands"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/commands")" -ge 8 ]
    # `nlsh COMMAND … --option`, in running text and in blocks.
    git ls-files '*.md' | xargs grep -ohE '(^|`| )nlsh [a-z]+[^`|;&]*' | sed 's/^[` ]*nlsh //' | sort -u >"$BATS_TEST_TMPDIR/named"
    local count=0
    while read -r command rest; do
        grep -qx -- "$command" "$BATS_TEST_TMPDIR/commands" || continue
        for option in $(grep -oE -- '--[a-z][a-z-]+' <<<"${rest%% -- *}"); do
            "$nlsh" "$command" --help | grep -q -- "$option" || { echo "nlsh $command $option"; return 1; }
            count=$((count + 1))
        done
    done <"$BATS_TEST_TMPDIR/named"
    [ "$count" -ge 3 ]
    # In running text, what is set as a command of nlsh is one.
    git ls-files '*.md' | xargs grep -ohE '`nlsh [a-z]+' | sed 's/.* //' | sort -u | while read -r command; do
        grep -qx -- "$command" "$BATS_TEST_TMPDIR/commands" || { echo "nlsh $command"; exit 1; }
    done
}

@test "architecture.md: the worked example, taken step by step, works" {
    cd "$BATS_TEST_TMPDIR"
    run timeout 200 unshare -n python3 -B "$ROOT/compat-tests/docs/worked_example.py" "$DOCS/architecture.md" "$ROOT"
    echo "$output"
    [ "$status" = 0 ]
    [[ "$output" == *"5 steps, 3 sources compiled"* ]]
}

@test "architecture.md: includes go one way, without a circle" {
    run -0 "$ROOT/compat-tests/docs/includes.py"
    cd "$BATS_TEST_TMPDIR"
    mkdir -p tree/parser tree/backend tree/preload
    echo '#include "backend/b.h"' >tree/parser/a.h
    echo '#include "parser/a.h"' >tree/backend/b.h
    echo '#include "backend/b.h"' >tree/preload/c.c
    run -1 "$ROOT/compat-tests/docs/includes.py" tree
    for line in "parser/a.h includes backend/b.h" "preload/c.c includes backend/b.h" "a circle: parser/a.h -> backend/b.h -> parser/a.h"; do
        grep -qxF "$line" <<<"$output" || { echo "$output"; return 1; }
    done
}

@test "protocol.md has wire.h's numbers" {
    sed -n 's/^| `\(NLSH_[A-Z_]*\)` | \([0-9a-fx]*\) |$/\1 \2/p' "$DOCS/protocol.md" >"$BATS_TEST_TMPDIR/said"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/said")" -ge 5 ]
    { printf '#include <stdio.h>\n#include "shim/wire/wire.h"\nint main(void) { int bad = 0;\n'
      while read -r name value; do echo "if ($name != $value) { bad = 1; puts(\"$name\"); }"; done <"$BATS_TEST_TMPDIR/said"
      echo 'return bad; }'; } >"$BATS_TEST_TMPDIR/wire.c"
    gcc -I "$ROOT" "$BATS_TEST_TMPDIR/wire.c" -o "$BATS_TEST_TMPDIR/wire"
    "$BATS_TEST_TMPDIR/wire"
}

@test "SECURITY.md names the test of each promise, and it is there" {
    "$ROOT/compat-tests/docs/security.py"
}
