#!/usr/bin/env bats
# The documents say what is so: their commands run (compat-tests/docs/run.py says how), their lines are native or not, their
# quotations are in the sources.

bats_require_minimum_version 1.5.0

setup_file() {
    cd "$BATS_TEST_DIRNAME/.."
    ROOT=$PWD
    export ROOT DOCS=$ROOT/packaging/docs
}

# run_document FILE DIRECTORY [SCRIPT]: in an overlay where nlsh is installed, after SCRIPT.
run_document() {
    timeout 200 "$ROOT/compat-tests/overlay" 'cmake --install "$1/build/release" --prefix /usr >/dev/null && hash -r && cd "$3" && eval "$4" &&
        python3 "$1/compat-tests/docs/run.py" "$2" "$1"' "$ROOT" "$1" "$2" "${3:-}"
}

@test "adopting.md" { run_document "$DOCS/adopting.md" /tmp/work; }

@test "native.md" { run_document "$DOCS/native.md" /tmp/work; }

@test "architecture.md" { run_document "$DOCS/architecture.md" /tmp/work; }

@test "no document is left out" {
    for document in "$DOCS"/*.md; do
        grep -q '^```\(sh\|native\|handed-over\)$' "$document" || continue
        grep -q "@test \"$(basename "$document")\"" "$BATS_TEST_FILENAME"
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
