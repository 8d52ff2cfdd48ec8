#!/usr/bin/env bats
# The survey of the man pages' options: for each native option, the corpus must have a native line.

load sanitizer

@test "each native option of survey.txt is in the corpus" {
    cd "$BATS_TEST_DIRNAME"
    python3 survey.py --nlsh "$NLSH"
}

@test "survey.txt has each option of the installed man pages" {
    [ -e /usr/share/man/man8/ip-link.8.gz ] || skip "no man pages here"
    dpkg-query -W -f '${Version}' iproute2 | grep -q '^6\.1\.' || skip "not the pages of 6.1"
    cd "$BATS_TEST_DIRNAME"
    python3 survey.py --pages
}
