#!/usr/bin/env bats
# Installed from the packages on machines that are booted: Debian 12 and 13 with systemd, and a container's root with
# supervisord (compat-tests/boot).

bats_require_minimum_version 1.5.0
load sanitizer

setup_file() {
    unsanitized "the packages of the release build"
    export BOOT=$ROOT/compat-tests/boot PACKAGES=$BUILD/packages OLD=$BATS_FILE_TMPDIR/old
    cmake --build "$BUILD" --target package >"$BATS_FILE_TMPDIR/log" 2>&1 || {
        tail -30 "$BATS_FILE_TMPDIR/log"
        return 1
    }
    # Upgraded from: the same files as a lower version.
    mkdir "$OLD"
    for name in nlsh nlsh-preload; do
        dpkg-deb -R "$PACKAGES"/${name}_*.deb "$OLD/unpacked"
        sed -i 's/^Version: .*/&~before/' "$OLD/unpacked/DEBIAN/control"
        dpkg-deb -Znone --root-owner-group -b "$OLD/unpacked" "$OLD" >/dev/null
        rm -r "$OLD/unpacked"
    done
}

# root SUITE: its folder in $root. A mirror that can't be reached is no fault of ours, and no pass.
root() {
    root=$("$BOOT/root" "$1" 2>"$BATS_TEST_TMPDIR/log") || {
        tail -5 "$BATS_TEST_TMPDIR/log"
        [[ $root == "could not run: "* ]] || return 1
        skip "$root"
    }
}

# machine SCRIPT INIT…: in the root; the transcript is printed, and kept in build/results.
machine() {
    local script=$1 log=$ROOT/build/results/boot-$BATS_TEST_NUMBER.txt status=0
    shift
    mkdir -p "$ROOT/build/results"
    timeout --kill-after=10 400 "$BOOT/machine" "$root" "$script" "$PACKAGES" "$OLD" "$ROOT/compat-tests" -- "$@" >"$log" 2>&1 || status=$?
    cat "$log"
    [ $status != 77 ] || skip "$(tail -1 "$log")"
    [ $status = 0 ] && [ "$(tail -1 "$log")" = "all held" ]
}

@test "Debian 12 with systemd: install, native calls, restart, upgrade, kill switch, doctor, removal" {
    root bookworm
    machine "$BOOT/installed $OLD $PACKAGES $ROOT/compat-tests" /sbin/init
}

@test "Debian 13 with systemd: the same" {
    root trixie
    machine "$BOOT/installed $OLD $PACKAGES $ROOT/compat-tests" /sbin/init
}

@test "a container's root: supervisord's recipe" {
    root bookworm
    machine "$BOOT/supervised $PACKAGES $ROOT/compat-tests" /bin/sleep infinity
}
