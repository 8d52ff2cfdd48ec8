#!/usr/bin/env bats
# The twin harness's two lanes. The terminal gets totals and failures; results/*.json has all results.

load sanitizer

setup() {
    cd "$BATS_TEST_DIRNAME"
}

# lane LIMIT ARGUMENTS…: runs the runner with a time limit; prints its totals, and its failures if it fails.
lane() {
    local limit=$1 status=0
    shift
    timeout --kill-after=10 "$(seconds "$limit")" python3 -B -m runner "$@" >"$BATS_TEST_TMPDIR/report" 2>&1 || status=$?
    sed -n -e '/^[0-9]* of [0-9]* blocks; /s/^/# /p' -e '/^[0-9]* blocks, /,$s/^/# /p' "$BATS_TEST_TMPDIR/report" >&3
    [ $status = 0 ] || cat "$BATS_TEST_TMPDIR/report"
    return $status
}

@test "the harness's own parts" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: the tests' own tools"
    timeout 120 python3 -B -m unittest runner_test swss_lines_test
}

@test "host lane: iproute2 against itself" {
    unsanitized "nothing of nlsh is in it"
    [ -z "${NLSH_SHORT:-}" ] || skip "in the long run only: ./run --long"
    lane 300 host --reference
}

@test "host lane: all ways in" {
    lane 600 host --ratchet
}

@test "guest lane: SwSS's command lines, and what the host's kernel can't run" {
    guest_sanitizer
    # The short run has each kind of link, feature and file at least once, by popen only; the ratchet needs the full run.
    if [ -n "${NLSH_SHORT:-}" ]; then
        lane 900 guest --short --ways preload-popen
    else
        lane 1500 guest --ratchet
    fi
    no_guest_report
}

@test "guest lane: a line that names a device loads its module, as the real one's does" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: a guest of its own for a minute"
    unsanitized "the same code is run by the host lane"
    run timeout "$(seconds 600)" ./device-modules
    echo "$output"
    [ "$status" = 0 ]
    [[ "$output" == *"13 lines load the module; "*" native, 3 fell back"* ]]
}

# By popen only, some blocks of each file and feature. The full run with its ratchet is `python3 -m runner host --debian trixie --ratchet`.
@test "host lane: against Debian 13's iproute2, a short selection" {
    unsanitized "Debian 13 lacks the libraries that a sanitizer's build is linked to"
    root=$(./boot/root --reference trixie) || { [ $? = 77 ] && skip "$root"; }
    lane 300 host --debian trixie --short --ways preload-popen
}
