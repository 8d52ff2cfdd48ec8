#!/usr/bin/env bats
# nlsh under attack: the server's death, hostile peers, callers without rights. NLSH_KILLS: how often to kill the server (60). NLSH_SOAK: commands to
# watch for leaks (6000). NLSH_VLANS: VLANs to set up under faults (1500). NLSH_ATTACKS_EVERY=N: every Nth row of the table of attacks (8; in a short
# run 20).

load sanitizer

setup() {
    cd "$BATS_TEST_DIRNAME"
}

# attack MODULE: runs its tests (safety/attack).
attack() {
    timeout --kill-after=10 "${NLSH_SAFETY_SECONDS:-$(seconds 600)}" safety/attack "$1"
}

@test "the server dies, stops and restarts under load" {
    attack death_test
}

@test "hostile and broken peers" {
    attack peers_test
    attack frames_test
}

@test "a caller gets the rights of its own exec" {
    attack rights_test
}

@test "random callers' rights after real execs equal the computed ones" {
    NLSH_RIGHTS_COUNT=${NLSH_RIGHTS_COUNT:-4000} attack exec_rights_test
}

@test "the same on the guests' kernels, 6.1 and 6.12" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: it boots two guests"
    local kernel count=${NLSH_RIGHTS_GUEST_COUNT:-400}
    for kernel in "" trixie; do # this machine's is 6.1
        NLSH_GUEST_SECONDS=$(seconds 300) or_skip safety/exec_rights_guest ${kernel:+--kernel $kernel} "$count" 1
    done
}

@test "callers of all kinds, by nlsh -c, the shim and the engine in process: no right is gained" {
    attack ways_test
}

@test "lines over the caller's own netlink socket" {
    attack callers_socket_test
    attack callers_files_test
    attack marked_test
    attack strangers_test
}

@test "floods over callers' netlink sockets" {
    attack callers_flood_test
}

@test "a process that changes its rights; the rights that the server keeps" {
    attack authority_test
}

@test "SwSS's sequence, the server killed, stopped and restarted meanwhile" {
    attack replay_test
}

@test "a soak: the server's memory and descriptors don't grow" {
    attack soak_test
}

@test "the next call sees changed files, programs and mounts" {
    attack changes_test
}

@test "mounts over the files that lines use" {
    attack mounts_test
}

@test "hostile name files" {
    attack names_test
}

@test "few threads, little memory, few descriptors; other users; traces that can't be written" {
    attack limits_test
}

@test "iproute2 and nlsh are replaced by dpkg while programs call" {
    unsanitized "other Debians' roots haven't its libraries"
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: two roots of Debian"
    for suite in bookworm trixie; do # the tests' namespaces reach no mirror, so make the roots first
        or_skip boot/root "$suite"
    done
    run attack upgrade_test
    echo "$output"
    [ "$status" = 0 ]
    grep -o '# \(iproute2\|nlsh:\).*' <<<"$output" >&3 || skip "$(grep -o -m 1 'could not run.*' <<<"$output")"
}

@test "the clock is set while programs call, in a guest of its own" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: a minute in User-Mode Linux"
    unsanitized "its shadow doesn't fit into User-Mode Linux's 39 bits of addresses"
    python3 -B -m runner exec --seconds "$(seconds 300)" -- python3 -B safety/clock_guest.py "$BUILD"
}

@test "the table of attacks: the same result, fallback, or a declared difference" {
    export NLSH_ATTACKS_EVERY=${NLSH_ATTACKS_EVERY:-$([ -n "${NLSH_SHORT:-}" ] && echo 20 || echo 8)}
    NLSH_SAFETY_SECONDS=${NLSH_SAFETY_SECONDS:-$(seconds 1500)} attack attack_test
}
