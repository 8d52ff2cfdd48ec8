#!/usr/bin/env bats
# Packages, cmake --install, units, man pages, completion. All that installs does so in an overlay (compat-tests/overlay).

bats_require_minimum_version 1.5.0

setup_file() {
    cd "$BATS_TEST_DIRNAME/.."
    ROOT=$PWD
    export ROOT BUILD=$ROOT/build/release PACKAGES=$ROOT/build/release/packages
    rm -rf "$PACKAGES"
    cmake --build --preset release --target package >"$BATS_FILE_TMPDIR/log" 2>&1 || {
        tail -30 "$BATS_FILE_TMPDIR/log"
        return 1
    }
}

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# inside SCRIPT: in a fresh overlay; its output and errors are left in out, its status in $status.
inside() {
    status=0
    timeout 120 "$ROOT/compat-tests/overlay" 'set -euo pipefail
        install_all() { dpkg -i '"$PACKAGES"'/*.deb >/dev/null; }
        # A server, and a program under the preload: the program prints what became of its line.
        start_server() { nlsh serve & server=$!; until [ -S /run/nlsh/nlsh.sock.0 ]; do sleep 0.01; done; }
        preloaded() { NLSH_TRACE=$PWD/trace LD_PRELOAD="/usr/\$LIB/nlsh/libnlsh-preload.so" lua5.4 -e "print(os.execute([[$1]]))"; }
        # Files and links with their contents, but for what dpkg and ld.so note of what is installed.
        state() { find /usr /etc /var /opt /lib -xdev \( -path /var/lib/dpkg -o -path /var/log -o -path /var/cache \) -prune -o \
            -not -type d -printf "%p %M %u %s %l\n" | sort; }
        '"$1" >out 2>&1 || status=$?
}

@test "lintian has nothing to say" {
    run lintian --allow-root --fail-on error,warning --no-tag-display-limit "$PACKAGES"/*.deb
    echo "$output"
    [ "$status" = 0 ]
    [[ "$output" != *[EW]:* ]]
}

@test "packages: installed they work, removed and purged they leave nothing" {
    inside 'state >before
        install_all
        [ "$(command -v nlsh)" = /usr/bin/nlsh ]
        nlsh -c "ip link show lo"
        start_server
        preloaded "ip link set lo mtu 1400"
        kill $server; wait $server
        cat trace
        dpkg --purge nlsh-shim nlsh-preload nlsh >/dev/null
        state >after
        diff before after && echo clean'
    [ "$status" = 0 ]
    grep -q $'^true\texit\t0' out
    grep -q $'^system\tnative\t0' out
    [ "$(tail -1 out)" = clean ]
}

@test "nothing preloads and nothing shims by installation" {
    inside 'sha256sum $(readlink -f /sbin/ip /sbin/bridge) >before; install_all
        sha256sum -c before; [ ! -e /etc/ld.so.preload ]; nlsh-shim status
        PATH=/usr/lib/nlsh/shim:$PATH NLSH_TRACE=$PWD/trace ip link show lo; cut -f2 trace'
    [ "$status" = 0 ]
    [ "$(grep -c 'is the real one' out)" = 2 ]
    [ "$(tail -1 out)" = native ]
}

@test "nlsh-shim: the whole machine and back, also by removal of the package" {
    inside 'sha256sum $(readlink -f /sbin/ip /sbin/bridge) >before; ls -l /bin/ip /sbin/ip /sbin/bridge >listed; install_all
        ip -d link >real; bridge -V >>real
        for round in disable remove; do
            nlsh-shim enable; nlsh-shim enable >/dev/null; nlsh-shim status >/dev/null
            export NLSH_TRACE=$PWD/trace; : >trace
            /sbin/ip -d link >ours; bridge -V >>ours; cmp real ours
            start_server; preloaded "/sbin/ip link set lo mtu 1401 && ip -br link show lo"; kill $server; wait $server
            cut -f1,2 trace | sort | uniq -c
            unset NLSH_TRACE
            dpkg -V iproute2
            if [ $round = disable ]; then nlsh-shim disable; else dpkg --remove nlsh-shim >/dev/null; fi
            sha256sum --quiet -c before; ls -l /bin/ip /sbin/ip /sbin/bridge | diff listed -
            [ ! -e /usr/lib/nlsh/real ]; [ -z "$(dpkg-divert --list "*nlsh*")" ]
        done; echo back'
    cat out
    [ "$status" = 0 ]
    [ "$(grep -c 'system.native' out)" = 2 ]
    ! grep -q handed-over out
    [ "$(tail -1 out)" = back ]
}

@test "cmake --install: another prefix, the preload by its \$LIB" {
    inside 'cmake --install '"$BUILD"' --prefix /usr/local >/dev/null; hash -r
        [ "$(command -v nlsh)" = /usr/local/bin/nlsh ]
        nlsh run -- lua5.4 -e "print(os.execute([[ip link set lo mtu 1400]]))"
        start_server
        NLSH_TRACE=$PWD/trace LD_PRELOAD="/usr/local/\$LIB/nlsh/libnlsh-preload.so" lua5.4 -e "os.execute([[ip link set lo up]])"
        kill $server; wait $server; cut -f1-3 trace'
    [ "$status" = 0 ]
    grep -q $'^true\texit\t0' out
    [ "$(tail -1 out)" = $'system\tnative\t0' ]
}

@test "units: systemd-analyze has nothing to say; the sandbox is as tight as a server of callers' files may be" {
    inside 'install_all
        mkdir -p /etc/systemd/system/cron.service.d
        printf "[Unit]\nDescription=x\n[Service]\nExecStart=/bin/true\n" >/etc/systemd/system/daemon.service
        mkdir /etc/systemd/system/daemon.service.d
        cp /usr/share/doc/nlsh-preload/examples/preload.conf /etc/systemd/system/daemon.service.d/nlsh.conf
        systemd-analyze verify nlsh.socket nlsh.service daemon.service && echo verified
        systemd-analyze security --offline=yes --no-pager nlsh.service | tail -1
        systemctl is-enabled nlsh.socket'
    cat out
    [ "$status" = 0 ]
    [ "$(head -1 out)" = verified ]
    [ "$(tail -1 out)" = enabled ]
    awk '/Overall exposure level/ { exit !($(NF-2) <= 4.5) }' out
}

@test "man pages: mandoc and groff have nothing to say" {
    mandoc -Tlint -Wwarning "$ROOT"/packaging/man/*
    for page in "$ROOT"/packaging/man/*; do
        run groff -ww -mandoc -Tutf8 -z "$page"
        [ -z "$output" ]
    done
}

@test "man pages name each command and option that nlsh has" {
    "$BUILD/nlsh" --help | sed -n '/^Subcommands:/,$s/^  \([a-z]*\) .*/\1/p' | while read -r command; do
        grep -q "Cm $command" "$ROOT/packaging/man/nlsh.1" || { echo "nlsh.1: $command"; exit 1; }
    done
    "$BUILD/nlsh" --help | grep -oE '^  (-.,)?--?[a-z-]+' | grep -oE -- '-[a-z-]+$' | while read -r option; do
        [ "$option" = --help ] || grep -q -- "Fl ${option#-}" "$ROOT/packaging/man/nlsh.1" || { echo "nlsh.1: $option"; exit 1; }
    done
}

@test "completion" {
    complete_() { # WORD…: what bash would offer for the last one
        bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _nlsh; printf "%s\n" "${COMPREPLY[@]}"' \
            "$ROOT/packaging/completion/nlsh" "$BUILD/nlsh" "$@"
    }
    [ "$(complete_ se)" = serve ]
    [ "$(complete_ ex)" = explain ]
    complete_ "" | grep -qx bridge
    [ "$(complete_ explain --js)" = --json ]
    [ "$(complete_ --for)" = --force ]
    : >lines.txt
    [ "$(complete_ lin)" = lines.txt ]
    complete_ run -- lua5 | grep -q '^lua5'
    [ "$(complete_ serve --sock)" = --socket ]
    [ -z "$(complete_ -c ip)" ]
}
