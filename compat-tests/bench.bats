#!/usr/bin/env bats
# The benchmark runs and reports every row. What it measures isn't judged here.

bats_require_minimum_version 1.5.0

@test "bench/run --quick reports every row" {
    cd "$BATS_TEST_DIRNAME/.."
    timeout --kill-after=10 300 bench/run --quick >"$BATS_TEST_TMPDIR/report" 2>&1 || {
        cat "$BATS_TEST_TMPDIR/report"
        return 1
    }
    # 7 lines with few links, with many, and as processes, beside one of nothing; 2 by each way; 4 batches; 4 shows; 6 sequences; each has its
    # ratio.
    [ "$(grep -c '^| [^|-].*\*\*[0-9.]*\*\*' bench/results/quick/report.md)" = 38 ]
    # None is measured against itself.
    ! grep 'handed over' bench/results/quick/report.md
}
