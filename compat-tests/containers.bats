#!/usr/bin/env bats
# nlsh in containers: under supervisord with packaging/supervisor, and with the server's socket shared with other mount, network and pid
# namespaces. Each test runs in an overlay of this machine (compat-tests/overlay).

load sanitizer

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# inside SCRIPT: runs it in an overlay with nlsh installed; `out` gets output and errors.
inside() {
    status=0
    timeout "$(seconds 500)" "$ROOT/compat-tests/overlay" 'set -euo pipefail
        root='"$ROOT"'
        cmake --install '"$BUILD"' --prefix /usr >/dev/null; hash -r
        NLSH=nlsh; . '"$ROOT"'/compat-tests/nlsh_test/serve.sh
        export NLSH_TIMEOUT_MS=20000
        # Counts the trace by native or fallback, and by reason.
        ways() { cut -f 2,6 "$1" | sort | uniq -c | sed "s/^ *//"; }
        '"$1" >out 2>&1 || status=$?
    cat out
    [ "$status" = 0 ]
}

@test "supervisord: the recipe's server and a daemon under the preload; restarts lose no call" {
    inside 'export PYTHONPATH=$root/build/clients/usr/lib/python3/dist-packages
        control() { python3 $root/build/clients/usr/bin/supervisorctl -c supervisord.conf "$@"; }
        recipe=/usr/share/doc/nlsh/examples/supervisor/nlsh.conf
        environment=$(sed -n "s/^; environment=/environment=/p" $recipe)
        [ -n "$environment" ]
        cat >supervisord.conf <<END
[supervisord]
nodaemon=true
logfile=$PWD/supervisord.log
pidfile=$PWD/supervisord.pid
[unix_http_server]
file=$PWD/control.sock
[rpcinterface:supervisor]
supervisor.rpcinterface_factory = supervisor.rpcinterface:make_main_rpcinterface
[supervisorctl]
serverurl=unix://$PWD/control.sock
[include]
files=$recipe
[program:daemon]
command=lua5.4 $root/compat-tests/containers/daemon.lua
directory=$PWD
startsecs=0
$environment,NLSH_TRACE="$PWD/trace"
END
        python3 $root/build/clients/usr/bin/supervisord -c supervisord.conf >supervisord.out 2>&1 & manager=$!
        until [ -e counts.started ]; do kill -0 $manager; sleep 0.05; done
        for round in 1 2; do control restart nlsh; done
        before=$(wc -l <trace)
        until [ $(tail -n +$before trace | grep -c native) -gt 200 ]; do sleep 0.05; done
        touch stop
        until [ -e counts ]; do sleep 0.05; done
        kill $manager; wait $manager || true
        echo "counts: $(cat counts)"; echo "native: $(grep -c "	native	" trace) of $(wc -l <trace)"'
    [ "$(grep -c 'nlsh: started' out)" = 2 ]
    grep -q '^counts: [1-9][0-9]* 0$' out
    awk '/^native:/ { found = $2 > 200 } END { exit !found }' out
}

@test "a container that shares the machine's files: native, in its own network namespace" {
    inside 'serve
        LD_PRELOAD="/usr/\$LIB/nlsh/libnlsh-preload.so" NLSH_TRACE=$PWD/trace \
            unshare --mount --net --pid --fork --mount-proc lua5.4 -e "print(os.execute([[ip link set lo mtu 1400]]), io.popen([[ip -o link show lo]]):read())"
        end_server
        ip -o link show lo; ways trace'
    grep -q '^true.*mtu 1400' out
    grep -q '^1: lo: .* mtu 65536' out
    grep -qx $'2 native\t' out
}

@test "a container with a root of its own: lines fall back by the machine's server, native by one inside" {
    inside 'mkdir box; mount -t tmpfs tmpfs box
        for directory in bin sbin lib lib64 usr etc; do
            if [ -h /$directory ]; then cp -d /$directory box; else mkdir box/$directory; mount --rbind /$directory box/$directory; fi
        done
        mkdir -p box/{proc,dev,tmp,run/nlsh}; mount --rbind /dev box/dev
        serve
        mount --bind /run/nlsh box/run/nlsh
        program="print(os.execute([[ip link set lo mtu 1400]]))"
        preload="LD_PRELOAD=/usr/\$LIB/nlsh/libnlsh-preload.so"
        cp "$root/compat-tests/nlsh_test/serve.sh" box/tmp
        cat >box/tmp/start <<"END"
mount -t proc proc /proc
env "$1" NLSH_TRACE=/tmp/shared lua5.4 -e "$2"
NLSH=nlsh; . /tmp/serve.sh
serve /tmp/own/sock
env "$1" NLSH_SOCKET=/tmp/own/sock NLSH_TRACE=/tmp/own/trace lua5.4 -e "$2"
kill $server; wait $server
END
        unshare --mount --net --pid --fork --kill-child chroot box bash /tmp/start "$preload" "$program"
        end_server
        ways box/tmp/shared; ways box/tmp/own/trace; cut -f 7 box/tmp/shared'
    [ "$(grep -c '^true' out)" = 2 ]
    grep -q '^spawned: ' out # by an nlsh of the container
    [ "$(grep -cx $'1 native\t' out)" = 2 ]
}

@test "a container with few capabilities: the server needs neither SYS_PTRACE nor SYS_ADMIN" {
    inside 'cat >program <<"END"
NLSH=nlsh; . '"$ROOT"'/compat-tests/nlsh_test/serve.sh
serve
LD_PRELOAD="/usr/\$LIB/nlsh/libnlsh-preload.so" NLSH_TRACE=$PWD/$1 lua5.4 -e "print(os.execute([[ip link set lo mtu 1400]]))"
kill $server; wait $server
END
        capsh --drop=cap_sys_admin,cap_sys_module -- program without-admin
        capsh --drop=cap_sys_ptrace -- program without-ptrace
        ways without-admin; ways without-ptrace; cut -f 7 without-admin without-ptrace'
    [ "$(grep -c '^true' out)" = 2 ]
    [ "$(grep -cx $'1 native\t' out)" = 2 ]
    [ "$(grep -cx server out)" = 2 ]
}

# swss SETTING…: runs SwSS's lines by popen in such a container, with a server inside.
swss() {
    "$ROOT/compat-tests/containers/in_swss" 'set -e; export PATH='"$BUILD"':$PATH
        NLSH=nlsh; . '"$ROOT"'/compat-tests/nlsh_test/serve.sh; serve 2>/dev/null
        env '"$*"' NLSH_TRACE=/tmp/trace /usr/bin/python3 -I '"$ROOT"'/compat-tests/containers/swss_lines.py
        kill $server; wait $server || true
        [ ! -e /tmp/trace ] || { echo "== trace"; cat /tmp/trace; }'
}

@test "SwSS's container (Docker's filter and capabilities, by runc): its lines are native, with the real output, status and state" {
    unsanitized "the container's filter has no system calls of a sanitizer's"
    or_skip swss NLSH_TIMEOUT_MS=20000 "LD_PRELOAD=$PRELOAD"
    sed '/^== trace$/,$d' <<<"$output" >ours
    sed '1,/^== trace$/d' <<<"$output" | grep $'^popen\t' | cut -f 5-7 >trace
    swss >theirs
    diff theirs ours
    grep -vE '(server|own-socket)$' trace || true
    [ "$(grep -cE '(server|own-socket)$' trace)" -ge 104 ] # of 110; the others are teamdctl, brctl, tunnels and a usage text
}
