#!/usr/bin/env bats
# Checks the documents' claims: their commands run (compat-tests/docs/run.py), their lines are native or fall back, and their quotations are in the
# sources.

load sanitizer

setup_file() {
    export DOCS=$ROOT/packaging/docs
}

# run_document FILE DIRECTORY [SCRIPT]: runs SCRIPT, then the document, in an overlay with nlsh installed. Its gcc can link a sanitizer's build.
run_document() {
    timeout "$(seconds 500)" "$ROOT/compat-tests/overlay" 'cmake --install "$BUILD" --prefix /usr >/dev/null &&
        { [ -z "$RUNTIME" ] || printf "#!/bin/sh\nexec %s \"\$@\"\n" "$COMPILER" | install -m 755 /dev/stdin /usr/local/bin/gcc; } && hash -r && cd "$3" && eval "$4" &&
        python3 "$1/compat-tests/docs/run.py" "$2" "$1"' "$ROOT" "$1" "$2" "${3:-}"
}

@test "adopting.md" { run_document "$DOCS/adopting.md" /tmp/work; }

@test "native.md" { run_document "$DOCS/native.md" /tmp/work; }

@test "architecture.md" { run_document "$DOCS/architecture.md" /tmp/work; }

@test "debugging.md" { run_document "$DOCS/debugging.md" /tmp/work; }

@test "fallbacks.md" { run_document "$DOCS/fallbacks.md" /tmp/work; }

# Releasing needs a checkout.
@test "releasing.md" { run_document "$DOCS/releasing.md" "$ROOT"; }

@test "exec.md" { run_document "$DOCS/exec.md" /tmp/work; }

@test "bash.md" { run_document "$DOCS/bash.md" /tmp/work; }

@test "library.md" {
    run_document "$DOCS/library.md" /tmp/work ldconfig
    # The document states the number of functions.
    [ "$(grep -c '^int nlapi_req_' "$ROOT/packaging/examples/nlapi.h")" = 24 ]
}

# By Debian's python3, not a developer's own in PATH.
@test "python.md" { PATH=/usr/sbin:/usr/bin:/sbin:/bin run_document "$DOCS/python.md" "$ROOT" ldconfig; }

@test "containers.md" { run_document "$DOCS/containers.md" /tmp/work; }

# As a newcomer types it: there is only the repository (and the build, to save time).
@test "README.md" {
    unsanitized "what it installs is the release build"
    timeout "$(seconds 900)" "$ROOT/compat-tests/overlay" 'rm -f /usr/bin/nlsh /usr/local/bin/nlsh && cd "$1" && python3 compat-tests/docs/run.py README.md "$1"' "$ROOT"
}

@test "README.md: its figures are the report's; native shares of the corpus and of SwSS's lines" {
    "$ROOT/compat-tests/docs/figures.py"
    run -0 python3 -B "$ROOT/compat-tests/survey.py" --nlsh "$NLSH" --share
    [[ "$output" =~ ^([0-9]+)\ of\ ([0-9]+)\ lines ]]
    [ "${BASH_REMATCH[2]}" -gt 7000 ] && [ $((BASH_REMATCH[1] * 10)) -gt $((BASH_REMATCH[2] * 9)) ]
    # A row has the daemon, the line, and a mark if the line isn't ip's or bridge's.
    run -1 "$NLSH" explain "$ROOT/compat-tests/swss-lines.txt"
    echo "$output" | tail -1
    [[ "$output" == *"native: 107 of 110 lines"* ]]
}

@test "links in documents work, also after installation" {
    DESTDIR=$BATS_TEST_TMPDIR cmake --install "$BUILD" --prefix /usr >/dev/null
    cd "$BATS_TEST_TMPDIR/usr/share/doc/nlsh"
    [ -e README.md ] && [ -e SECURITY.md ] && [ -e examples/mock/scenario.schema.json ]
    { find . -name '*.md' && cd "$ROOT" && git ls-files '*.md' | sed "s|^|$ROOT/|"; } | while read -r document; do
        grep -oE '\]\([^)# ]+' "$document" | sed 's/^](//' | grep -v '^[a-z]*:' | while read -r link; do
            [ -e "$(dirname "$document")/$link" ] || { echo "$document: $link"; exit 1; }
        done
    done
}

@test "the fleet's files: alerts, dashboard and playbook name metrics and commands that exist" {
    cd "$ROOT/packaging/examples/fleet"
    # Run promtool's and ansible's own checks if they are installed; check the content in any case.
    if command -v promtool; then promtool check rules alerts.yml; fi
    if command -v ansible-playbook; then ansible-playbook --syntax-check -i localhost, nlsh.yml; fi
    python3 -m json.tool grafana.json >/dev/null
    grep -oh 'nlsh_[a-z_]*' alerts.yml grafana.json | sort -u | while read -r metric; do
        grep -q "\"${metric%_bucket}" "$ROOT/shim/stats/prometheus.cpp" || { echo "$metric"; exit 1; }
    done
}

@test "no document is left out" {
    cd "$ROOT"
    # Other tests run these commands (the runner's: lanes.bats).
    local elsewhere=" compat-tests/README.md "
    for document in $(git ls-files '*.md'); do
        grep -q '^```\(sh\|native\|fallback\)$' "$document" || continue
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
    # In running text, each `nlsh COMMAND` must exist.
    git ls-files '*.md' | xargs grep -ohE '`nlsh [a-z]+' | sed 's/.* //' | sort -u | while read -r command; do
        grep -qx -- "$command" "$BATS_TEST_TMPDIR/commands" || { echo "nlsh $command"; exit 1; }
    done
}

# Fake cmake, apt-get and unshare report their calls: --help must neither build nor install anything.
@test "each command of the repository answers --help and refuses unknown options, without other effects" {
    cd "$ROOT"
    mkdir "$BATS_TEST_TMPDIR/bin"
    for tool in cmake apt-get unshare; do
        printf '#!/bin/sh\necho %s >>"%s"\n' $tool "$BATS_TEST_TMPDIR/begun" >"$BATS_TEST_TMPDIR/bin/$tool"
        chmod +x "$BATS_TEST_TMPDIR/bin/$tool"
    done
    for command in packaging/quickstart packaging/setup bench/run bench/languages bench/instructions bench/compare compat-tests/versions/build .ci/{run,commits,python,tidy} packaging/release-check \
        compat-tests/{run,debian,cross,fuzz,fuzz-parsers,foreign,foreign-packages,soak,sanitized,monitor-guest,survey.py}; do
        echo "$command"
        PATH=$BATS_TEST_TMPDIR/bin:$PATH run -0 --separate-stderr timeout 30 "$command" --help
        [[ "$output" == *[a-z]* && -z "$stderr" ]]
        PATH=$BATS_TEST_TMPDIR/bin:$PATH run -2 --separate-stderr timeout 30 "$command" --bogus
        [[ -n "$stderr" && -z "$output" ]]
    done
    [ ! -e "$BATS_TEST_TMPDIR/begun" ]
}

@test "architecture.md: the worked example, taken step by step, works" {
    cd "$BATS_TEST_TMPDIR"
    run timeout 200 unshare -n python3 -B "$ROOT/compat-tests/docs/worked_example.py" "$DOCS/architecture.md" "$ROOT"
    echo "$output"
    [ "$status" = 0 ]
    [[ "$output" == *"2 steps, 2 sources compiled"* ]]
}

@test "architecture.md: its map is true for every folder" {
    run -0 "$ROOT/compat-tests/docs/map.py"
}

@test "contributing.md: its table is what suites.py prints, and each bats file has a row" {
    run -0 "$ROOT/compat-tests/nlsh_test/suites.py" check "$DOCS/contributing.md"
    cd "$BATS_TEST_TMPDIR"
    git clone -q "$ROOT" tree
    touch tree/compat-tests/new.bats
    git -C tree add compat-tests/new.bats
    run -1 tree/compat-tests/nlsh_test/suites.py check "$ROOT/README.md"
    [[ $output == *"new.bats: no row of the table"*"README.md: its table differs from what compat-tests/nlsh_test/suites.py contributing prints"* ]]
    [[ "$(tree/compat-tests/nlsh_test/suites.py queues | tail -n 1)" == *" compat-tests/new.bats" ]]
}

@test "each source is named in its folder's CMakeLists.txt" {
    run -0 "$ROOT/compat-tests/docs/sources.py"
    rm -rf "$BATS_TEST_TMPDIR/tree"
    git clone -q "$ROOT" "$BATS_TEST_TMPDIR/tree"
    cd "$BATS_TEST_TMPDIR/tree"
    touch shim/run/unnamed_test.cpp
    git add shim/run/unnamed_test.cpp
    run -1 compat-tests/docs/sources.py
    [[ $output == *"shim/run/unnamed_test.cpp: not in shim/CMakeLists.txt"* ]] || { echo "$output"; return 1; }
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
    # And all other names of wire.h, except those that only C needs.
    for name in $(grep -oE '\bNLSH_[A-Z_]+\b' "$ROOT/shim/wire/wire.h" | sort -u | grep -vxE 'NLSH_(WIRE_H|DEFAULT_SOCKET|VARIABLE_COUNT|SIGPIPE_IGNORED)'); do
        grep -q "$name" "$DOCS/protocol.md" || { echo "$name"; return 1; }
    done
}

# page COMMAND: prints the text of its man page.
page() {
    local file
    case $1 in serve) file=nlsh-serve.8 ;; mock) file=nlsh-mock.1 ;; *) file=nlsh.1 ;; esac
    mandoc -Tascii "$ROOT/packaging/man/$file" 2>/dev/null | sed 's/.\x08//g'
}

@test "man pages: each option that --help names, and no other" {
    for command in "" serve run explain stats top doctor qualify record mock; do
        page "$command" >"$BATS_TEST_TMPDIR/page"
        "$NLSH" $command --help >"$BATS_TEST_TMPDIR/help"
        for option in $(grep -oE -- '(^|[ ,])--[a-z][a-z-]+' "$BATS_TEST_TMPDIR/help" | tr -d ' ,' | sort -u); do
            [ "$option" = --help ] || grep -qwE -- "$option" "$BATS_TEST_TMPDIR/page" || { echo "nlsh $command $option: not in its page"; return 1; }
        done
        cat "$BATS_TEST_TMPDIR/help" >>"$BATS_TEST_TMPDIR/all"
    done
    for command in "" serve mock; do
        for option in $(page "$command" | grep -oE -- '--[a-z][a-z-]+' | sort -u); do
            grep -qw -- "$option" "$BATS_TEST_TMPDIR/all" || { echo "$option: in a page, and no command has it"; return 1; }
        done
    done
}

@test "man pages: each variable that is read; documents name none that isn't" {
    cd "$ROOT"
    cat packaging/man/* >"$BATS_TEST_TMPDIR/pages"
    # Only between nlsh's own processes, and for tests.
    local inner='NLSH_REPLAY|NLSH_REPLAY_RECORD|NLSH_NOTE_USES|NLSH_MOCK|NLSH_ENGINE_LIBRARY'
    git ls-files shim preload | grep -E '\.(c|cpp|h)$' | grep -vE '_test|/tests/' | xargs grep -ohE '"NLSH_[A-Z_]+["=]' | tr -d '"=' | sort -u >"$BATS_TEST_TMPDIR/read"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/read")" -ge 10 ]
    grep -vxE "$inner" "$BATS_TEST_TMPDIR/read" | while read -r variable; do
        grep -qw "$variable" "$BATS_TEST_TMPDIR/pages" || { echo "$variable is in no man page"; exit 1; }
    done
    grep -ohE 'NLSH_[A-Z_]+' README.md SECURITY.md packaging/docs/*.md packaging/man/* preload/README.md | sort -u | while read -r name; do
        git grep -qw "$name" -- ':!*.md' ':!packaging/man' || { echo "$name is nowhere in the sources"; exit 1; }
    done
}

@test "files that the documents name exist" {
    cd "$ROOT"
    # Files that readers make: in the worked example, or as their own.
    local made='backend/objects/link/kinds/rmnet.cpp|verify.conf|nlsh.service|sock.scn'
    git ls-files >"$BATS_TEST_TMPDIR/files"
    git ls-files '*.md' | while read -r document; do
        grep -oE '`[A-Za-z0-9_./-]+\.(cpp|h|c|py|md|bats|txt|json|scn|conf|tsv|yml|service|socket)`' "$document" | tr -d '`' | sed 's|^\./||' | sort -u | grep -vxE "$made" | while read -r file; do
            grep -qE "(^|/)${file//./\\.}$" "$BATS_TEST_TMPDIR/files" || { echo "$document: $file"; exit 1; }
        done
    done
}

@test "Markdown is wrapped at 100 characters" {
    run -0 "$ROOT/compat-tests/docs/wrap.py"
}

@test "SECURITY.md names an existing test for each promise" {
    "$ROOT/compat-tests/docs/security.py"
}
