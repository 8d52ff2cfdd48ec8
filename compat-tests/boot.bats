#!/usr/bin/env bats
# Installs the packages on booted machines: Debian 12 and 13 with systemd, and a container's root with supervisord. Also runs the playbook of
# adopting.md there (compat-tests/boot).

load sanitizer

setup_file() {
    unsanitized "the packages of the release build"
    export BOOT=$ROOT/compat-tests/boot PACKAGES=$BUILD/packages OLD=$BATS_FILE_TMPDIR/old
    cmake --build "$BUILD" --target package >"$BATS_FILE_TMPDIR/log" 2>&1 || {
        tail -30 "$BATS_FILE_TMPDIR/log"
        return 1
    }
    upgraded_from
}

# Makes the packages to upgrade from: an older commit's, if `compat-tests/boot/old 97c4720` has built them (which takes as long as a build),
# otherwise today's files with a lower version.
upgraded_from() {
    local commit=97c4720 made
    if made=$("$BOOT/old" --cached $commit); then
        cp -r "$made" "$OLD"
        return
    fi
    mkdir "$OLD"
    for name in nlsh nlsh-preload; do
        dpkg-deb -R "$PACKAGES"/${name}_*.deb "$OLD/unpacked"
        sed -i 's/^Version: .*/&~before/' "$OLD/unpacked/DEBIAN/control"
        dpkg-deb -Znone --root-owner-group -b "$OLD/unpacked" "$OLD" >/dev/null
        rm -r "$OLD/unpacked"
    done
}

# root SUITE: sets $root to its folder. Skips the test if no mirror is reachable, or if packages that are built here need a later libc.
root() {
    [ "$1" != bookworm ] || ! on_debian_13 || skip "could not run: packages that are built on Debian 13 need its libc"
    root=$("$BOOT/root" "$1" 2>"$BATS_TEST_TMPDIR/log") || {
        tail -5 "$BATS_TEST_TMPDIR/log"
        [[ $root == "could not run: "* ]] || return 1
        skip "$root"
    }
}

on_debian_13() { grep -qs '^VERSION_ID="13"' /etc/os-release; }

# machine SCRIPT INIT…: boots the root and runs SCRIPT there; prints the transcript, and keeps it in build/results.
machine() {
    local script=$1 log=$ROOT/build/results/boot-$BATS_TEST_NUMBER.txt status=0
    shift
    mkdir -p "$ROOT/build/results"
    timeout --kill-after=10 "${LIMIT:-400}" "$BOOT/machine" "$root" "$script" "$PACKAGES" "$OLD" "$ROOT/compat-tests" "$ROOT/packaging" -- "$@" >"$log" 2>&1 || status=$?
    cat "$log"
    [ $status != 77 ] || skip "$(tail -1 "$log")"
    [ $status = 0 ] && [ "$(tail -1 "$log")" = "all held" ]
}

@test "Debian 12 with systemd: install, native calls, restart, upgrade, kill switch, doctor, removal" {
    root bookworm
    machine "$BOOT/installed $OLD $PACKAGES $ROOT/compat-tests" /sbin/init
}

@test "Debian 13 with systemd: the same" {
    [ -z "${NLSH_SHORT:-}" ] || on_debian_13 || skip "short run: Debian 12's is run"
    root trixie
    machine "$BOOT/installed $OLD $PACKAGES $ROOT/compat-tests" /sbin/init
}

@test "a container's root: supervisord's recipe" {
    root bookworm
    machine "$BOOT/supervised $PACKAGES $ROOT/compat-tests" /bin/sleep infinity
}

@test "adopting.md's playbook, by Ansible in Debian 13: install, verify, on, kill, revive, a fault, off" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: two minutes of Ansible"
    root trixie
    LIMIT=1300 machine "$BOOT/fleet $PACKAGES $ROOT/packaging/examples/fleet" /sbin/init
}
