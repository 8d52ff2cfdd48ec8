#!/usr/bin/env bats
# A fixed list of generated commands through iproute2 and nlsh. For more: ./fuzz --seed N --seconds S

@test "generated command lines: the same in nlsh" {
    status=0
    timeout --kill-after=10 300 "$BATS_TEST_DIRNAME/fuzz" --seed 1 --blocks 16 >"$BATS_TEST_TMPDIR/report" 2>&1 || status=$?
    sed -n '/blocks of seed/,$s/^/# /p' "$BATS_TEST_TMPDIR/report" >&3
    [ $status = 0 ] || cat "$BATS_TEST_TMPDIR/report"
    [ $status = 0 ]
}
