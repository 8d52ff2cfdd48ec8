#!/usr/bin/env bats
# A change costs the same number of system calls and netlink messages with 10 and with 1000 links; a show no more memory.

load sanitizer

measured() { # TEST
    timeout "$(seconds 480)" python3 -B "$BATS_TEST_DIRNAME/complexity/complexity_test.py" "Complexity.$1" >&3
}

@test "the cost of a change doesn't grow with the number of links" {
    measured test_a_change_costs_the_same_with_many_links
}

@test "a large table streams: no more memory for 200,000 routes than for 20,000" {
    unsanitized "its shadow and its freed pieces are the memory that is measured"
    measured test_a_large_table_streams
}
