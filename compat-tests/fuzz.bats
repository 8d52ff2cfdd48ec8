#!/usr/bin/env bats
# Runs generated commands by iproute2 and nlsh, for FUZZ_SECONDS (`run`: 15, `run --long`: 600, while other files run). The seed is fixed, so that a
# commit's verdict doesn't change by chance. Use other seeds in long runs:
# FUZZ_SECONDS=3600 FUZZ_SEED=N bats fuzz.bats, or ./fuzz --seed N --seconds S.

load sanitizer

@test "the fuzzer's own parts: seeds, excluded lines, shrinking" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: the tests' own tools"
    cd "$BATS_TEST_DIRNAME"
    timeout 300 python3 -B -m unittest fuzzer_test
}

@test "generated command lines: the same in nlsh" {
    status=0
    seconds=${FUZZ_SECONDS:-120}
    timeout --kill-after=10 $((seconds + 300)) "$BATS_TEST_DIRNAME/fuzz" --seed "${FUZZ_SEED:-1}" --seconds "$seconds" \
        --jobs "${FUZZ_JOBS:-2}" \
        >"$BATS_TEST_TMPDIR/report" 2>&1 || status=$?
    sed -n '/blocks of seed/,$s/^/# /p' "$BATS_TEST_TMPDIR/report" >&3
    [ $status = 0 ] || cat "$BATS_TEST_TMPDIR/report"
    [ $status = 0 ]
}
