#!/usr/bin/env bats
# The benchmark runs and reports every row. This file doesn't judge the times.

load sanitizer

@test "bench/run --smoke reports every row" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: a minute"
    unsanitized "times of the release build"
    cd "$BATS_TEST_DIRNAME/.."
    timeout --kill-after=10 900 bench/run --smoke >"$BATS_TEST_TMPDIR/report" 2>&1 || {
        cat "$BATS_TEST_TMPDIR/report"
        return 1
    }
    # Rows with a ratio: 7 lines with few links, with many, with both, beside their limit, before and now, and as processes with an empty one;
    # 8 senders; 6 while another process changes links; 2 numbers of ports on each kernel; 2 by each way; 6 batches; 8 shows; 7 sequences;
    # 4 growing tables; 15 programs; 5 lines in each place. With so few calls, subtracting a program's start may give a negative ratio.
    places=$(sed -n 's/.* \([0-9]\) of 5 places measured.*/\1/p' bench/results/quick/report.md)
    [ "$places" -ge 3 ]
    [ "$(grep -c '^| [^|-].*\*\*-\?[0-9.]*\*\*' bench/results/quick/report.md)" = $((103 + 5 * places)) ]
    # No row fell back, which would compare the real tools with themselves.
    ! grep 'fallback' bench/results/quick/report.md
}

@test "bench/languages --smoke measures each row of exec.md's table" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: half a minute"
    unsanitized "times of the release build"
    cd "$BATS_TEST_DIRNAME/.."
    timeout --kill-after=10 400 bench/languages --smoke >"$BATS_TEST_TMPDIR/rows" || {
        cat "$BATS_TEST_TMPDIR/rows"
        return 1
    }
    # Skips systemd's row: it measures the program that systemd starts.
    sed -n '/^| program/,/^$/p' packaging/docs/exec.md | grep -v '^| program\|^|---\|^$\|^| systemd' | sed 's/ [^|]* |$//' >"$BATS_TEST_TMPDIR/table"
    grep '^|' "$BATS_TEST_TMPDIR/rows" | sed 's/ [^|]* |$//' | diff "$BATS_TEST_TMPDIR/table" -
}

# results FOLDER NLSH RAW: writes one row with these two medians.
results() {
    mkdir -p "$1"
    printf '{"rows": [{"name": "link set", "ways": {"nlsh system": {"median": %s}, "raw": {"median": %s}, "calls a second": 5}}]}' \
        "$2" "$3" >"$1/calls-10.json"
}

@test "bench/compare tells what got slower" {
    cd "$BATS_TEST_TMPDIR"
    compare=$BATS_TEST_DIRNAME/../bench/compare
    results old 20 2
    results same 21 2.1
    results slower 30 2
    results busy 20 3
    run -0 "$compare" old same
    [ "$output" = "2 times compared, 0 of nlsh's slower by more than 25 %" ]
    run -1 "$compare" old slower
    [[ ${lines[0]} = *"+50 %  slower "*"20.0 → "*"30.0 µs  calls-10 / link set / nlsh system" ]]
    [ "${lines[1]}" = "2 times compared, 1 of nlsh's slower by more than 25 %" ]
    run -0 "$compare" old busy # the kernel's own time is shown, but doesn't count
    [[ ${lines[0]} = *"+50 %  slower "*"/ raw" ]]
    run -0 "$compare" old slower --by 60
    run -0 "$compare" slower old
    [[ ${lines[0]} = *"-33 %  faster "* ]]
    mkdir none
    run -1 "$compare" old none
    [ "$output" = "bench/compare: nothing in common" ]
}
