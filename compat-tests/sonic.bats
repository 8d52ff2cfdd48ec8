#!/usr/bin/env bats
# packaging/sonic: its changes to a tree of sonic-buildimage, and a container started as on a switch.

load sanitizer

setup() {
    unsanitized "the packages of the release build"
    TREE=$BATS_TEST_TMPDIR/tree
    TEMPLATE=$TREE/dockers/docker-orchagent/supervisord.conf.j2
    cp -r "$ROOT/compat-tests/sonic/tree" "$TREE"
}

add() { "$ROOT/packaging/sonic/add" "$TREE"; }

# section PROGRAM: prints the program's lines in the template.
section() { sed -n "/^\[program:$1\]/,/^\$/p" "$TEMPLATE"; }

@test "add: the server, and the preload for programs that run ip; running it twice changes nothing" {
    add
    grep -q '_DEPENDS += \$(NLSH) \$(NLSH_PRELOAD)$' "$TREE/rules/docker-orchagent.mk"
    [ "$(grep -c '^environment=LD_PRELOAD="/usr/$LIB/nlsh/libnlsh-preload.so"$' "$TEMPLATE")" = 9 ]
    for program in orchagent swssconfig rsyslogd nlsh; do
        run ! grep -q LD_PRELOAD <(section $program)
    done
    section nlsh | grep -q '^autorestart=true$'
    cp -r "$TREE" "$BATS_TEST_TMPDIR/once"
    add
    diff -r "$TREE" "$BATS_TEST_TMPDIR/once"
}

@test "add: an image with AddressSanitizer goes without the preload" {
    add
    section vlanmgrd | tr '\n' ' ' | grep -q '{% if ENABLE_ASAN == "y" %} environment=ASAN_OPTIONS=.* {% else %} environment=LD_PRELOAD=[^ ]* {% endif %}'
}

@test "add: a section with an environment, one without, the shared template, and one that it doesn't understand" {
    mv "$TEMPLATE" "$TREE/dockers/docker-orchagent/supervisord.conf.common.j2"
    TEMPLATE=$TREE/dockers/docker-orchagent/supervisord.conf.common.j2
    sed -i '/ENABLE_ASAN/d; /^{% endif %}/d; /nbrmgrd-asan/d; s/^environment=ASAN_OPTIONS.*vrfmgrd.*/environment=A="1"/' "$TEMPLATE"
    add
    section vrfmgrd | grep -qx 'environment=A="1",LD_PRELOAD="/usr/$LIB/nlsh/libnlsh-preload.so"'
    section nbrmgrd | grep -qx 'environment=LD_PRELOAD="/usr/$LIB/nlsh/libnlsh-preload.so"'
    cp "$ROOT/compat-tests/sonic/tree/dockers/docker-orchagent/supervisord.conf.j2" "$TEMPLATE"
    sed -i 's/^{% if ENABLE_ASAN.*/{% if ENABLE_ASAN %}{% set a = 1 %}/' "$TEMPLATE"
    run ! add
    [[ "$output" == *"[program:portsyncd]"* ]]
    rm "$TEMPLATE"
    run ! add
    [[ "$output" == *"names vlanmgrd"* ]]
}

@test "a switch's container: its packages by SONiC's make, Docker's filter, SwSS's lines by popen while the server is killed" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: it makes a Debian 13"
    command -v runc || skip "runc isn't installed"
    or_skip timeout --kill-after=10 900 "$ROOT/compat-tests/sonic/run" 30
    # A kill of the server may cut off the running line, as a kill of its `ip` would. It affects no other call.
    python3 -c '
import json, sys
figures = json.load(sys.stdin)
assert figures["calls"] > 1000 and figures["kills"] >= 10 and figures["cut"] <= figures["kills"], figures
assert figures["lost"] == figures["different"] == 0, figures' <<<"${lines[-1]}"
}
