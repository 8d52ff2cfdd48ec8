#!/usr/bin/env bats
# Runs lines in containers, in hardened services, and as other users (compat-tests/environments). Each line must do there what the real tools
# do, or fall back with a reason.

load sanitizer

setup_file() {
    unsanitized "its server has no system call filter, and its preload isn't the one that programs get"
}

# matrix OPTION…: runs the matrix; skips the test if this machine can't boot a copy of itself.
matrix() {
    or_skip timeout --kill-after=10 "${LIMIT:-300}" "$ROOT/compat-tests/environments/run" --results "$BATS_TEST_TMPDIR/results" "$@"
    ! grep -q '^could not run' <<<"$output"
}

@test "root, swss's container, a Kubernetes pod, a hardened service, a plain user: no cell is different" {
    command -v runc || skip "runc isn't installed"
    matrix --short
}

@test "every environment, every way" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: five environments are run"
    for tool in runc crun podman lxc-start bwrap systemd-nspawn newuidmap; do command -v $tool || skip "$tool isn't installed"; done
    LIMIT=1500 matrix
}

# The harness must detect faults: an nlsh that prints something else, and one that changes nothing.
@test "a wrong nlsh is different" {
    python3 -B "$ROOT/compat-tests/environments/compare_test.py"
}
