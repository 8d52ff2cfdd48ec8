#!/usr/bin/env bats
# No slow drift: instructions executed for ten of SwSS's lines, against bench/instructions.json. After a change that is
# worth more instructions: bench/instructions --write.

bats_require_minimum_version 1.5.0

@test "ten lines execute no more instructions than recorded" {
    cd "$BATS_TEST_DIRNAME/.."
    timeout 120 bench/instructions
}
