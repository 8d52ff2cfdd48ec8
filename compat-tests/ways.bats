#!/usr/bin/env bats
# The ways in which each language runs ip, without nlsh and with it. The output and the network's final state must be equal. NLSH_TRACE has each
# call's way, and how many commands were native (packaging/docs/exec.md).

load sanitizer

setup_file() {
    share_server 900
    mkdir "$SHARED/bin"
    ln -s "$BUILD/nlsh" "$SHARED/bin/ip"
}

teardown_file() { end_shared_server; }

setup() {
    cd "$BATS_TEST_DIRNAME/ways"
    trace=$SHARED/trace.$BATS_TEST_NUMBER
    : >"$trace"
}

# equal VARIABLE=VALUE… -- COMMAND…: must do the same without and with the variables.
equal() {
    local variables=()
    while [ "$1" != -- ]; do
        variables+=("$1")
        shift
    done
    TRACE=$trace twin NLSH_SOCKET="$SHARED/sock" NLSH_TRACE="$trace" "${variables[@]}" -- ./namespace.sh "${@:2}"
}

# preloaded WAYS NATIVE COMMAND…: NATIVE commands must be native by WAYS, names joined by |.
preloaded() {
    local ways=$1 native=$2
    shift 2
    equal LD_PRELOAD="$BUILD/libnlsh-preload.so" -- "$@"
    [ "$(grep -cE "^($ways)"$'\tnative\t' "$trace")" = "$native" ]
}

compiled() { # PROGRAM COMPILER…: compiles the program
    local program=$BATS_TEST_TMPDIR/$1
    shift
    "$@" -o "$program"
    echo "$program"
}

@test "C: fork and exec" { preloaded exec 5 "$(compiled c cc c_exec.c)"; }
@test "C: posix_spawn" { preloaded spawn 5 "$(compiled c cc c_spawn.c)"; }
@test "sh (dash): a script" { preloaded exec 12 dash script.sh; }
@test "bash: a script" { preloaded exec 12 bash script.sh; }
@test "Python: os.system, os.popen, os.spawn, subprocess" { preloaded "exec|spawn|system" 9 /usr/bin/python3 -B python.py; }
@test "Perl: system, backticks, open" { preloaded exec 6 perl perl.pl; }
@test "Ruby: system, backticks, IO.popen" {
    needs ruby
    preloaded "exec|spawn" 6 ruby ruby.rb
}
@test "Lua: os.execute, io.popen" {
    needs lua5.4
    preloaded "system|popen" 5 lua5.4 lua.lua
}
@test "PHP: system, exec, shell_exec, passthru, proc_open" {
    needs php
    preloaded "popen|exec|spawn" 6 php php.php
}
@test "node: child_process" {
    needs node
    preloaded exec 6 node node.js
}
@test "Java: ProcessBuilder" {
    needs javac
    javac -d "$BATS_TEST_TMPDIR" Java.java
    preloaded exec 5 java -cp "$BATS_TEST_TMPDIR" Java
}
@test "Rust: std::process::Command" {
    needs rustc
    preloaded "exec|spawn" 10 "$(compiled rust rustc rust.rs)"
}
@test "awk: system(), getline" {
    for awk in mawk gawk original-awk; do
        command -v "$awk" >/dev/null || continue
        : >"$trace"
        preloaded "system|popen|exec" 5 "$awk" -f awk.awk
    done
}
@test "make: recipes, \$(shell)" { preloaded "exec|spawn" 6 make -sf Makefile; }
@test "Tcl: exec, open" {
    needs tclsh
    preloaded exec 6 tclsh tcl.tcl
}
@test "env, timeout, nice, xargs, find, setsid, flock" { preloaded exec 7 dash tools.sh; }

@test "Go: os/exec isn't reached by the preload; the directory in PATH works" {
    needs go
    GO111MODULE=off timeout 300 go build -o "$BATS_TEST_TMPDIR/go" go.go
    preloaded "exec|spawn" 0 "$BATS_TEST_TMPDIR/go"
    equal PATH="$SHARED/bin:$PATH" -- "$BATS_TEST_TMPDIR/go"
    [ "$(grep -c $'^ip\tnative\t' "$trace")" = 4 ]
}
@test "cron: a job whose table names the preload" {
    local cron=$ROOT/build/clients/usr/sbin/cron
    [ -x "$cron" ] || skip "cron isn't unpacked (packaging/setup --tests)"
    timeout --kill-after=5 "$(seconds 180)" unshare -nm --propagation private ./cron.sh "$cron" "$BUILD/nlsh" "$BUILD/libnlsh-preload.so" "$BATS_TEST_TMPDIR"
    cat "$BATS_TEST_TMPDIR/trace"
    diff "$BATS_TEST_TMPDIR/plain" "$BATS_TEST_TMPDIR/nlsh"
    [ "$(grep -c $'^exec\tnative\t' "$BATS_TEST_TMPDIR/trace")" = 2 ]
}
@test "an interactive shell: native commands, jobs, Ctrl-C, Ctrl-Z" {
    preloaded exec 7 /usr/bin/python3 -B interactive.py bash --norc --noediting -i
    : >"$trace"
    preloaded exec 7 /usr/bin/python3 -B interactive.py dash -i
}
@test "ip netns exec: /sys, files of /etc/netns, missing commands, nesting" {
    local folder
    folder=$(mktemp -d -p "$BATS_TEST_TMPDIR")
    timeout "$(seconds 120)" unshare -nm --propagation private ./netns_exec.sh "$NLSH" "$PRELOAD" "$folder"
    cut -f1,2,5- "$folder/trace"
    diff "$folder/plain" "$folder/nlsh"
    # If the namespace has its own files in /etc, the command has other mounts than the server, so it execs nlsh instead of ip.
    [ "$(cut -f1,2 "$folder/trace" | sort | uniq -c | xargs)" = "7 exec fallback 50 exec native 1 spawn fallback 4 spawn native" ]
}
@test "missing paths of ip, bridge and shells" {
    preloaded exec 8 /usr/bin/python3 -B candidates.py
    grep -q '^/usr/bin 102 0$' "$BATS_TEST_TMPDIR/nlsh" # 100 and ENOENT
    grep -q '^/usr/sbin/sh 102$' "$BATS_TEST_TMPDIR/nlsh"
}
@test "shells with a line: BASH_ENV, exported functions, options, arguments, switches" { preloaded exec 7 dash shells.sh; }
@test "ip -V, help, a tool by itself" { preloaded exec 1 dash -c 'ip -V; ip -Version; ip help; bridge; bridge -V; ip link xyz; exit 0'; }
@test "Python: os.execve of a descriptor (fexecve) becomes ip" {
    preloaded "exec|spawn" 0 /usr/bin/python3 -c 'import os; os.execve(os.open("/sbin/ip", os.O_RDONLY), ["ip", "link", "set", "v0", "master", "br0"], os.environ)'
}
@test "busybox sh: a script" {
    needs busybox
    preloaded exec 12 busybox sh script.sh
}

# The operator's tools cover exec and spawn like popen and system.
@test "exec and spawn: --verify runs them both ways, stats count them" {
    cd "$BATS_TEST_TMPDIR"
    chmod 700 .
    serve "$PWD/sock" --verify 1 --verify-log differences 2>log
    local environment=(env NLSH_SOCKET="$PWD/sock" NLSH_TRACE="$trace")
    unshare -n /usr/bin/python3 -B "$BATS_TEST_DIRNAME/ways/python_runs.py" >plain
    unshare -n "${environment[@]}" LD_PRELOAD="$PRELOAD" /usr/bin/python3 -B "$BATS_TEST_DIRNAME/ways/python_runs.py" >verified
    "${environment[@]}" "$NLSH" stats >stats
    end_server
    cat "$trace" stats log
    diff plain verified
    [ "$(cut -f1,2 "$trace" | sort | uniq -c | xargs)" = "3 exec native 3 spawn native" ]
    grep -q '4 verified, 0 different' stats
    [ ! -s differences ]
}
@test "exec and spawn: nlsh run, record and mock" {
    cd "$BATS_TEST_TMPDIR"
    chmod 700 .
    local program=(/usr/bin/python3 -B "$BATS_TEST_DIRNAME/ways/python_runs.py")
    unshare -n "${program[@]}" >plain
    NLSH_TRACE=$trace unshare -n "$NLSH" run -- "${program[@]}" >ran
    diff plain ran
    [ "$(cut -f1,2 "$trace" | sort | uniq -c | xargs)" = "3 exec native 3 spawn native" ]
    unshare -n "$NLSH" record --path -o lines "${program[@]}" >recorded
    diff plain recorded
    [ "$(grep -v '^#' lines | sort | uniq -c | xargs)" = "2 ip -br link show lo 2 ip link set lo mtu 1400 2 ip link show nosuch" ]
    printf 'commands:\n  - {line: ip -br link show lo, output: "mocked\\n", times: 2}\n  - {line: ip link show nosuch, error: "no\\n", status: 1, times: 2}\n  - {line: ip link set lo mtu 1400, status: 3, times: 2}\norder: any\n' >scenario.yaml
    unshare -n "$NLSH" mock -q scenario.yaml --path -- "${program[@]}" >mocked
    cat mocked
    [ "$(sort mocked | uniq -c | sed 's/^ *//')" = "2 0 'mocked\n' ''
2 1 '' 'no\n'
2 3 '' ''" ]
}
