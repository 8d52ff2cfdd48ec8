#!/usr/bin/env bats
# Runs two packages of ./foreign-packages by the preload: output and network must be the same as with the real tools. All packages, and the kernel's
# selftests (./foreign), take too long for each run: packaging/docs/foreign.md has their results.

load sanitizer

# packages NATIVE NAME: at least NATIVE of the package's calls must be native.
packages() {
    unsanitized "Debian's programs haven't the sanitizer's runtime: the preload is the same in all builds"
    run timeout 500 "$ROOT/compat-tests/foreign-packages" "$2"
    echo "$output"
    [ "$status" != 77 ] || skip "there is no mirror"
    [ "$status" = 0 ]
    [[ "$output" =~ ^same\ .*\ ([0-9]+)\ native ]] && [ "${BASH_REMATCH[1]}" -ge "$1" ]
}

@test "ifupdown: ifup and ifdown of a bridge, its ports, addresses, routes and rules" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: twenty seconds"
    packages 150 ifupdown
}
@test "vpnc-script: a tunnel's routes come and go" { packages 158 vpnc-script; }
