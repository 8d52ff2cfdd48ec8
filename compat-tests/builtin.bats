#!/usr/bin/env bats
# bash's builtin: runs scripts (builtin/scripts) with and without it, in twin namespaces. Output, errors, status, files and kernel state must be
# equal, and as many commands native as each script says. Also tests the other statements of packaging/docs/bash.md.

load sanitizer

setup() {
    cd "$BATS_TEST_TMPDIR"
    # bash itself is built without the sanitizer.
    [ -z "$SANITIZE" ] || export LD_PRELOAD=$RUNTIME ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
}

battery() {
    timeout "$(seconds 400)" python3 -B "$ROOT/compat-tests/builtin/battery.py" "$BUILD" "$1"
}

# with_builtin VARIABLE=VALUE… -- COMMAND…: runs COMMAND with the builtin in a new network namespace.
with_builtin() {
    unshare -n env BASH_ENV="$BUILD/builtin.bash" NLSH_SOCKET="$PWD/sock" NLSH_TRACE="$PWD/trace" "$@"
}

@test "commands: changes, shows, errors, words" { battery commands; }
@test "status: \$?, set -e, traps" { battery status; }
@test "output: redirections, closed descriptors, disks, pipes" { battery output; }
@test "input: here-documents, batches, loops" { battery input; }
@test "substitution: \$( ), backquotes, <( )" { battery substitution; }
@test "children: subshells, pipelines, jobs, exec" { battery children; }
@test "namespaces: ip netns exec, nsenter, ip -n" { battery namespaces; }
@test "names: type, hash, command, functions, aliases, PATH" { battery names; }
@test "environment: variables, options, limits, switches, rights" { battery environment; }

@test "enable -f by hand loads only the given names" {
    run -0 ${SANITIZE:+--separate-stderr} with_builtin bash -c 'enable -n ip; type -t ip bridge; ip link set lo mtu 1400; bridge link'
    [ "$output" = $'file\nbuiltin' ]
    run -0 unshare -n env -i ${SANITIZE:+"LD_PRELOAD=$LD_PRELOAD" "ASAN_OPTIONS=$ASAN_OPTIONS"} NLSH_TRACE="$PWD/by-hand" /bin/bash -c "enable -f '$BUILD/nlsh-builtin.so' ip; ip link set lo mtu 1400; bridge link"
    [ "$(cut -f1,2,5 trace by-hand)" = $'builtin\tnative\tbridge link\nbuiltin\tnative\tip link set lo mtu 1400' ]
}

@test "what remains visible (bash.md): type, command -v, bash -v" {
    unsanitized "its runtime writes to stderr"
    run -0 with_builtin bash -c 'type ip; type -t ip; type -p ip; command -v ip; command -V ip; echo "$(command -v ip)"'
    [ "$output" = $'ip is a shell builtin\nbuiltin\nip\nip is a shell builtin\n/usr/sbin/ip' ]
    run -0 with_builtin LC_ALL=C.UTF-8 bash -c 'f() { :; }; export -f f; export x=1; echo "$(command -v ip)"; trap "echo \$(command -v bridge)" EXIT'
    [ "$output" = $'/usr/sbin/ip\n/usr/sbin/bridge' ]
    run -0 with_builtin bash -x -c 'ip link set lo mtu 1400'
    [ "$output" = '+ ip link set lo mtu 1400' ]
    run -0 with_builtin bash -v -c 'ip link set lo mtu 1401'
    [[ $output == *"enable -f"* ]]
}

@test "a script without ip and bridge doesn't load the engine" {
    run -0 with_builtin strace -f -e trace=openat -o opened bash -c 'for i in 1 2 3; do :; done'
    grep -c 'nlsh-builtin.so' opened
    ! grep libnlsh-engine.so opened
}

@test "sh, and bash as sh, are left alone" {
    echo 'ip link set lo mtu 1400' >script
    with_builtin sh script
    ln -s /bin/bash sh
    with_builtin ./sh script
    [ ! -e trace ]
}

@test "without the engine, or with one that isn't root's, the real ip runs" {
    with_builtin NLSH_ENGINE_LIBRARY=/nosuch bash -c 'ip -br link show lo'
    cp "$BUILD/libnlsh-engine.so" . && chmod go+w libnlsh-engine.so
    with_builtin NLSH_ENGINE_LIBRARY="$PWD/libnlsh-engine.so" bash -c 'ip -br link show lo'
    [ ! -e trace ]
}

@test "after a burst commands get the same descriptors as without nlsh" {
    unsanitized "its runtime has descriptors of its own"
    for way in env with_builtin; do
        $way unshare -n bash -c 'for i in {1..60}; do ip link set lo mtu 14$((i + 10)); done; ls /proc/self/fd' >$way
    done
    diff env with_builtin
    [ "$(cut -f2 trace | sort | uniq -c | xargs)" = "60 native" ]
}

@test "Debian 13's bash and iproute2" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: a quarter of a minute in its root"
    unsanitized "that system hasn't the sanitizer's runtime"
    local root
    root=$("$ROOT/compat-tests/boot/root" --reference trixie) || { [ $? = 77 ] && skip "$root"; }
    NLSH_SLOWNESS=3 timeout 400 "$ROOT/compat-tests/builtin/in-root" "$root" "$BUILD"
}
