#!/usr/bin/env bats
# Lines that public packages run (public_lines/lines.tsv): how much of them is native, and the same when they run.

bats_require_minimum_version 1.5.0
load sanitizer

@test "public lines: 85 per cent are native, 95 per cent of SONiC's" {
    timeout --kill-after=10 "$(seconds 60)" "$BATS_TEST_DIRNAME/public_lines/share.py" --public 85 --sonic 95 | sed 's/^/# /' >&3
    [ "${PIPESTATUS[0]}" = 0 ]
}

@test "public lines: the native ones do what they do by the real shell" {
    timeout --kill-after=10 "$(seconds 400)" "$BATS_TEST_DIRNAME/public_lines/share.py" --run | sed 's/^/# /' >&3
    [ "${PIPESTATUS[0]}" = 0 ]
}
