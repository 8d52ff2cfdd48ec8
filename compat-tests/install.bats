#!/usr/bin/env bats
# Packages, cmake --install, units, man pages, completion. Each test installs in an overlay (compat-tests/overlay).

load sanitizer

setup_file() {
    export PACKAGES=$BUILD/packages INSTALLED=$BATS_FILE_TMPDIR/installed
    rm -rf "$PACKAGES"
    cmake --build "$BUILD" --target package >"$BATS_FILE_TMPDIR/log" 2>&1 || {
        tail -30 "$BATS_FILE_TMPDIR/log"
        return 1
    }
    use_packages
}

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# inside SCRIPT: runs it in a fresh overlay; `out` gets output and errors, $status the status.
inside() {
    status=0
    timeout "$(seconds 500)" "$ROOT/compat-tests/overlay" 'set -euo pipefail
        rm -f /var/lib/man-db/auto-update # skips the slow index of manual pages at each installation
        install_all() { dpkg -i --force-unsafe-io '"$PACKAGES"'/*.deb >install.log 2>&1 || { cat install.log; return 1; }; }
        # Starts a server, and a program under the preload that prints the fate of its line.
        NLSH=nlsh; . '"$ROOT"'/compat-tests/nlsh_test/serve.sh
        preloaded() { NLSH_TRACE=$PWD/trace LD_PRELOAD="${NLSH_ENGINE:+${RUNTIME:+$RUNTIME:}}/usr/\$LIB/nlsh/libnlsh-preload.so" lua5.4 -e "print(os.execute([[$1]]))"; }
        # Builds a C program against the installed library, by pkg-config and by CMake; both print "all right".
        build_and_run() {
            cp '"$ROOT"'/compat-tests/library/library_test.c .
            $COMPILER -D_GNU_SOURCE library_test.c -pthread -o by-pkg-config $(pkg-config --cflags --libs nlsh)
            printf "%s\n" "cmake_minimum_required(VERSION 3.20)" "project(user C)" "find_package(nlsh 0.1 REQUIRED)" \
                "find_package(Threads REQUIRED)" "add_executable(by-cmake library_test.c)" \
                "target_compile_definitions(by-cmake PRIVATE _GNU_SOURCE)" \
                "target_link_libraries(by-cmake nlsh::nlsh Threads::Threads)" >CMakeLists.txt
            CC=$COMPILER cmake -S . -B user >/dev/null && cmake --build user >/dev/null
            for program in ./by-pkg-config user/by-cmake; do
                ldd $program | sed -n "s/.*libnlsh.so.0 => \([^ ]*\) .*/\1/p"
                unshare -n $program inproc
            done
        }
        '"$1" >out 2>&1 || status=$?
}

# Installs all packages once; writes each test's results below a "== SECTION" line.
use_packages() {
    cd "$BATS_FILE_TMPDIR"
    inside 'sha256sum $(readlink -f /sbin/ip /sbin/bridge) >before; sleep 0.01; touch mark; sleep 0.01
        echo "== install"; install_all
        command -v nlsh; nlsh -c "ip -br link show lo" | cut -d" " -f1
        echo "commands: [{line: ip link show x, output: answered}]" >scenario; nlsh mock -q scenario -- lua5.4 -e "os.execute([[ip link show x]])"; echo
        sha256sum -c before; test ! -e /etc/ld.so.preload; nlsh-shim status
        echo "== preload"; serve
        preloaded "ip link set lo mtu 1400"
        end_server
        NLSH_ENGINE=inproc preloaded "ip link set lo mtu 1401"
        cut -f1-3 trace
        echo "== shim"; PATH=/usr/lib/nlsh/shim:$PATH NLSH_TRACE=$PWD/shimmed ip link show lo >/dev/null; cut -f2 shimmed
        echo "== library"; build_and_run
        gcc -c -Wall -Wextra -Werror /usr/share/doc/libnlsh-dev/examples/nlapi.c $(pkg-config --cflags nlsh)
        echo "== python"; cd /
        unshare -n /usr/bin/python3 -c "import nlsh; from importlib import metadata; nlsh.check(\"ip link set lo up\"); print(nlsh.__file__, metadata.version(\"nlsh\"))"
        ls /usr/lib/python3/dist-packages/nlsh/__pycache__ | wc -l; cd - >/dev/null
        echo "== units"
        printf "[Unit]\nDescription=x\n[Service]\nExecStart=/bin/true\n" >/etc/systemd/system/daemon.service
        mkdir /etc/systemd/system/daemon.service.d
        cp /usr/share/doc/nlsh-preload/examples/preload.conf /etc/systemd/system/daemon.service.d/nlsh.conf
        systemd-analyze verify nlsh.socket nlsh.service daemon.service && echo verified
        systemd-analyze security --offline=yes --no-pager nlsh.service | tail -1
        systemctl is-enabled nlsh.socket; rm -r /etc/systemd/system/daemon.service*
        echo "== removed"; packages="python3-nlsh nlsh-shim nlsh-preload nlsh libnlsh-dev libnlsh0"
        dpkg --remove --force-unsafe-io $packages >/dev/null 2>&1
        for tool in nlsh nlsh-shim; do ! type -P $tool; done
        ls -d /usr/lib/nlsh /usr/lib/*/nlsh 2>/dev/null || true
        dpkg --purge --force-unsafe-io $packages 2>/dev/null >/dev/null
        ls -d /run/nlsh 2>/dev/null || true
        # Files made or changed since then, except the records of dpkg and ld.so, and files of tests that run meanwhile, which the copy shows.
        find /usr /etc /var /opt /lib -xdev \( -path /var/lib/dpkg -o -path "/var/lib/tmp*" -o -path /var/log -o -path /var/cache -o -path /etc/ld.so.cache \) -prune -o \
            -cnewer mark \( -not -type d -o -name "*nlsh*" \) -print
        echo "== end"'
    mv out "$INSTALLED"
    cd "$ROOT"
}

# section NAME: the results of use_packages for it.
section() {
    grep -q '^== end$' "$INSTALLED" || cat "$INSTALLED" >&2
    sed -n "/^== $1\$/,/^== /{/^== /!p}" "$INSTALLED"
}

@test "lintian finds nothing" {
    unsanitized "the packages of the release build"
    run lintian --allow-root --fail-on error,warning --no-tag-display-limit "$PACKAGES"/*.deb
    echo "$output"
    [ "$status" = 0 ]
    [[ "$output" != *[EW]:* ]]
}

@test "packages: six, each with its own files, none with the build's paths" {
    unsanitized "the packages of the release build"
    [ "$(cd "$PACKAGES" && echo *.deb)" = "libnlsh-dev_0.1.0-1_amd64.deb libnlsh0_0.1.0-1_amd64.deb nlsh-preload_0.1.0-1_amd64.deb nlsh-shim_0.1.0-1_all.deb nlsh_0.1.0-1_amd64.deb python3-nlsh_0.1.0-1_all.deb" ]
    for package in "$PACKAGES"/*.deb; do dpkg-deb -x "$package" all; done
    ! grep -rIl -e "$ROOT" -e /usr/local all
    grep -q '^ExecStart=/usr/bin/nlsh serve$' all/lib/systemd/system/nlsh.service ||
        grep -q '^ExecStart=/usr/bin/nlsh serve$' all/usr/lib/systemd/system/nlsh.service
    grep -qF 'LD_PRELOAD=/usr/$LIB/nlsh/libnlsh-preload.so' all/usr/share/doc/nlsh-preload/examples/preload.conf
    ls all/usr/lib/"$(gcc -print-multiarch)"/nlsh | diff - <(printf '%s\n' builtin.bash libnlsh-engine.so libnlsh-preload.so nlsh-builtin.so nlsh-trial)
}

@test "packages: they name the sources of static libraries; the shim accepts any later nlsh" {
    unsanitized "the packages of the release build"
    for name in nlsh nlsh-preload libnlsh0; do
        dpkg-deb -f "$PACKAGES"/${name}_*.deb Static-Built-Using | grep -E 'libseccomp \(= .*fmtlib|fmtlib \(= .*libseccomp'
    done
    dpkg-deb -f "$PACKAGES"/nlsh_*.deb Static-Built-Using | grep 'glibc (= '
    [ "$(dpkg-deb -f "$PACKAGES"/nlsh-shim_*.deb Depends)" = "nlsh (>= 0.1.0), iproute2" ]
}

@test "packages: they work; installing them enables no preload and no shim" {
    section install >said
    cat said
    [ "$(head -3 said | xargs)" = "/usr/bin/nlsh lo answered" ]
    [ "$(grep -c ': OK$' said)" = 2 ]
    [ "$(grep -c 'is the real one$' said)" = 2 ]
    diff <(section preload) <(printf '%s\n' $'true\texit\t0' $'true\texit\t0' $'system\tnative\t0' $'system\tnative\t0')
    [ "$(section shim)" = native ]
}

@test "libnlsh-dev: a C program by pkg-config and by CMake" {
    library=/lib/$(gcc -print-multiarch)/libnlsh.so.0
    diff <(printf '%s\n' "$library" "all right" "$library" "all right") <(section library)
}

@test "python3-nlsh: where Debian's python3 finds it, compiled; its distribution has a name and a version" {
    section python >said
    cat said
    [ "$(head -1 said)" = "/usr/lib/python3/dist-packages/nlsh/__init__.py 0.1.0" ]
    [ "$(tail -1 said)" -ge 4 ]
}

# The exposure is at most 4.9. The rest of the points is for rights that callers have, too (capabilities, openat2, no namespace), or that the real ip of
# --verify needs (INET sockets).
@test "units: systemd-analyze finds nothing; the sandbox is as tight as the server allows" {
    section units >said
    cat said
    [ "$(head -1 said)" = verified ]
    [ "$(tail -1 said)" = enabled ]
    awk '/Overall exposure level/ { found = 1; if ($(NF-2) > 4.9) exit 1 } END { exit !found }' said
}

@test "packages: removed and purged they leave nothing" {
    diff <(section removed) /dev/null
    grep -q '^== end$' "$INSTALLED"
}

@test "packages: an unknown iproute2 is qualified when nlsh is installed, and when dpkg replaces it" {
    inside 'mkdir tools; rm -rf /var/lib/nlsh  # what this machine knows
        package() { # VERSION
            # Only once: after a second time it would be the known build again.
            [ -e tools/bridge ] || for tool in ip bridge; do python3 -B '"$ROOT"'/compat-tests/builds/other_build.py $tool; done
            chmod 755 tools/*
            rm -rf other; mkdir -p other/DEBIAN other/bin other/sbin; cp tools/ip other/bin/ip; cp tools/bridge other/sbin/bridge
            for round in $(seq $1); do echo x >>other/bin/ip; done
            printf "%s\n" "Package: other" "Version: $1" "Architecture: amd64" "Maintainer: x <x@x>" "Replaces: iproute2" "Description: x" >other/DEBIAN/control
            dpkg-deb --root-owner-group -b other other$1.deb >/dev/null
        }
        package 1; dpkg -i --force-unsafe-io other1.deb >/dev/null
        echo "== install"; install_all; ls /var/lib/nlsh; nlsh explain "ip link show" | head -1
        echo "== trigger"; package 2; dpkg -i --force-unsafe-io other2.deb; nlsh explain "ip link show" | head -1; grep -c "^ip " /var/lib/nlsh/qualified
        echo "== broken"; rm -r /var/lib/nlsh; touch /var/lib/nlsh; package 3; dpkg -i --force-unsafe-io other3.deb >/dev/null; dpkg --audit; echo fine'
    cat out
    [ "$status" = 0 ]
    [ "$(grep -c '^native' out)" = 2 ]
    [ "$(sed -n '/== trigger/,$p' out | grep -c '^2$')" = 1 ]
    [ "$(tail -1 out)" = fine ]
}

@test "nlsh-shim: the whole machine and back, also by removal of the package" {
    inside 'sha256sum $(readlink -f /sbin/ip /sbin/bridge) >before; listed() { stat -c "%N %A %u %s" /bin/ip /sbin/ip /sbin/bridge; }; listed >listed; install_all
        ip -d link >real; bridge -V >>real
        for round in disable remove; do
            nlsh-shim enable; nlsh-shim enable >/dev/null; nlsh-shim status >/dev/null
            export NLSH_TRACE=$PWD/trace; : >trace
            /sbin/ip -d link >ours; bridge -V >>ours; cmp real ours
            serve; preloaded "/sbin/ip link set lo mtu 65536 && ip -br link show lo"; end_server
            cut -f1,2 trace | sort | uniq -c
            unset NLSH_TRACE
            dpkg -V iproute2
            if [ $round = disable ]; then nlsh-shim disable; else dpkg --remove nlsh-shim >/dev/null; fi
            sha256sum --quiet -c before; listed | diff listed -
            [ ! -e /usr/lib/nlsh/real ]; [ -z "$(dpkg-divert --list "*nlsh*")" ]
        done; echo back'
    cat out
    [ "$status" = 0 ]
    [ "$(grep -c 'system.native' out)" = 2 ]
    ! grep -q fallback out
    [ "$(tail -1 out)" = back ]
}

@test "cmake --install: another prefix, the preload by its \$LIB" {
    inside 'cmake --install '"$BUILD"' --prefix /usr/local >/dev/null; PATH=/usr/local/bin:$PATH
        [ "$(command -v nlsh)" = /usr/local/bin/nlsh ]
        nlsh run -- lua5.4 -e "print(os.execute([[ip link set lo mtu 1400]]))"
        echo "commands: [{line: ip link show x, output: answered}]" >scenario; nlsh mock -q scenario --path -- sh -c "ip link show x"; echo
        serve
        NLSH_TRACE=$PWD/trace LD_PRELOAD="/usr/local/\$LIB/nlsh/libnlsh-preload.so" lua5.4 -e "os.execute([[ip link set lo up]])"
        kill $server; wait $server; cut -f1-3 trace
        ldconfig; build_and_run
        ! grep -rIl "/usr/[^l].*nlsh" /usr/local/lib/systemd /usr/local/share/doc/nlsh-preload'
    cat out
    [ "$status" = 0 ]
    grep -q $'^true\texit\t0' out
    grep -qx answered out
    grep -q $'^system\tnative\t0' out
    [ "$(grep -c '^all right' out)" = 2 ]
    [ "$(grep -c '^/usr/local/lib/.*/libnlsh.so.0' out)" = 2 ]
}

@test "man pages: mandoc and groff find nothing" {
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
    complete_() { # WORD…: prints bash's completions of the last word
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
    [ "$(complete_ serve --log war)" = warning ]
    [ "$(complete_ record --moc)" = --mock ]
    complete_ record -o lines.txt lua5 | grep -q '^lua5'
    [ "$(complete_ mock lin)" = lines.txt ]
    [ "$(complete_ mock --fa)" = --fail ]
    complete_ mock lines.txt -- lua5 | grep -q '^lua5'
    [ -z "$(complete_ -c ip)" ]
}
