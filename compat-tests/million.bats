#!/usr/bin/env bats
# Runs some units of the generators for a million commands (./million runs all).

load sanitizer

million() {
    timeout --kill-after=10 "$(seconds 400)" "$BATS_TEST_DIRNAME/million" --seed 7 --only shell --state "$BATS_TEST_TMPDIR/state" "$@"
}

@test "million: finished units are kept and not run again" {
    million --commands 5000
    [ "$(wc -l <"$BATS_TEST_TMPDIR/state")" = 1 ]
    run -0 million --commands 5000
    [ "$(wc -l <"$BATS_TEST_TMPDIR/state")" = 1 ]
    [[ $output == *"all: 5000 of 5000 commands"* ]]
}

@test "million: a unit that found a difference is the status" {
    echo '{"generator": "shell", "seed": 7, "number": 0, "counts": {"commands": 1000, "different": 1}, "output": []}' >"$BATS_TEST_TMPDIR/state"
    run -1 million --commands 5000
}
