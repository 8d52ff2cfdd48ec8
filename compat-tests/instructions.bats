#!/usr/bin/env bats
# Detects a slow drift: compares the instructions of ten of SwSS's lines, and of one more popen, with bench/instructions.json. After a change that
# is worth more instructions, run bench/instructions --write.

load sanitizer

# Counts a start's page faults: the kernel maps cached code in pieces of 64 KiB. In the order of the sources, there were 36.
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
