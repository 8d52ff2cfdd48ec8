#!/usr/bin/env bats
# `nlsh doctor` tells the truth: its verdicts on a process equal what that process gets.

load sanitizer

@test "doctor of processes: other users, containers, switches" {
    unsanitized "lua has no sanitizer's runtime"
    timeout 300 unshare -n -m --propagation private sh -c 'ip link set lo up; exec python3 -B "$0"' "$ROOT/compat-tests/operator/doctor_test.py"
}
