#!/usr/bin/env bats
# Lines that public packages run (public_lines/lines.tsv): how much of them is native, and the same when they run.

load sanitizer

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "public lines: 85 per cent are native, 95 per cent of SONiC's" {
    timeout --kill-after=10 "$(seconds 60)" "$BATS_TEST_DIRNAME/public_lines/share.py" --public 85 --sonic 95 | sed 's/^/# /' >&3
    [ "${PIPESTATUS[0]}" = 0 ]
}

@test "public lines: 85 per cent are native as unknown builds that are qualified" {
    timeout --kill-after=10 "$(seconds 120)" "$BATS_TEST_DIRNAME/public_lines/share.py" --unknown --public 85 --sonic 95 >out </dev/null || { cat out; false; }
    grep native, out | sed 's/^/# /' >&3
}

@test "public lines: the native ones do what they do by the real shell" {
    timeout --kill-after=10 "$(seconds 400)" "$BATS_TEST_DIRNAME/public_lines/share.py" --run | sed 's/^/# /' >&3
    [ "${PIPESTATUS[0]}" = 0 ]
}
