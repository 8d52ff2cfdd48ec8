#!/usr/bin/env bats
# No slow drift: instructions executed for ten of SwSS's lines, against bench/instructions.json. After a change that is
# worth more instructions: bench/instructions --write.

bats_require_minimum_version 1.5.0
load sanitizer

@test "ten lines execute no more instructions than recorded" {
    unsanitized "instructions of the release build"
    cd "$BATS_TEST_DIRNAME/.."
    timeout 120 bench/instructions
}
