#!/usr/bin/env bats
# Compares the shell subset with the real shells, by chosen and random lines (for more: shell/differential.py --lines N --seed N).

load sanitizer

@test "chosen shell lines: the same in nlsh, or declined" {
    timeout --kill-after=10 "$(seconds 300)" "$BATS_TEST_DIRNAME/shell/run.py" "$NLSH"
}

@test "random shell lines: sh -n accepts what nlsh accepts, with the same result" {
    timeout --kill-after=10 "$(seconds 300)" "$BATS_TEST_DIRNAME/shell/differential.py" --seed 1 --lines 6000 | sed 's/^/# /' >&3
    [ "${PIPESTATUS[0]}" = 0 ]
}
