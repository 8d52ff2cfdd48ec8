#!/usr/bin/env bats
# No slow drift: instructions executed for ten of SwSS's lines, and for one popen more, against bench/instructions.json. After a change that is
# worth more instructions: bench/instructions --write.

bats_require_minimum_version 1.5.0
load sanitizer

# Page faults of a start: the kernel maps code by pieces of 64 KiB, where it is in the page cache. 36 in the order of the sources.
@test "the code that a short command runs is laid out side by side" {
    unsanitized "the release build's layout"
    cd "$BATS_TEST_DIRNAME/../build/release"
    [ "$(wc -l <layout.order)" -gt 200 ]
    for line in "ip link set lo mtu 65536" "bridge vlan add vid 10 dev lo" "ip link show lo" "ip route replace 10.9.0.0/24 dev lo"; do
        timeout 60 ./nlsh_steps 400000 a00000 ./nlsh $line >"$BATS_TEST_TMPDIR/addresses"
        awk -v line="$line" '{ ++all; $0 = substr($0, 1, length($0) - 4); if (!seen[$0]++) ++pieces }
            END { printf "# %s: %d places in %d pieces\n", line, all, pieces; exit !(all > 1000 && pieces <= 9) }' "$BATS_TEST_TMPDIR/addresses" >&3
    done
}

@test "ten lines and a popen execute no more instructions than recorded" {
    unsanitized "instructions of the release build"
    cd "$BATS_TEST_DIRNAME/.."
    timeout 120 bench/instructions
}
