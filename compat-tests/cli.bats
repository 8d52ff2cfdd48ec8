#!/usr/bin/env bats
# nlsh's stable interface: its commands, its environment variables, and its behaviour without a server. Each test runs in its own network
# namespace; files hold the bytes to compare.

load sanitizer

setup() {
    cd "$BATS_TEST_TMPDIR"
    chmod 700 .
}

same() { # FILE TEXT
    diff <(printf '%s' "$2") "$1"
}

serving='serve "$PWD/sock" --log off
    export NLSH_SOCKET=$PWD/sock NLSH_TRACE=$PWD/trace; '

@test "nlsh -c: output, errors and status are the real ones" {
    inside -0 '"$NLSH" -c "ip link show lo"'
    diff out <(unshare -n ip link show lo)
    inside -1 '"$NLSH" -q -c "ip link set nosuch up"'
    same err $'Cannot find device "nosuch"\n'
    inside -2 '"$NLSH" -q -c "ip link add br0 type bridge && ip link add br0 type bridge"'
    same err $'RTNETLINK answers: File exists\n'
}

@test "nlsh -c names the command of a chain that failed: on a terminal, or when asked" {
    inside -1 '"$NLSH" -v -c "ip link add br0 type bridge && ip link set nosuch up && ip link set br0 up"'
    same err $'Cannot find device "nosuch"\nnlsh: command 2 failed with status 1: ip link set nosuch up: Cannot find device "nosuch"\n'
    inside -1 '"$NLSH" -c "ip link set nosuch up; ip link set nosuch up"'
    same err $'Cannot find device "nosuch"\nCannot find device "nosuch"\n'
    inside -1 'script -qec "\"$NLSH\" -c \"ip link set nosuch up; ip link set nosuch up\"" /dev/null'
    grep -q '^nlsh: command 1 failed with status 1: ip link set nosuch up: Cannot find device "nosuch"; command 2 failed' out
    inside 'script -qec "\"$NLSH\" -q -c \"ip link set nosuch up; ip link set nosuch up\"" /dev/null'
    ! grep -q '^nlsh:' out
}

@test "nlsh -c: a line that it does not know falls back as a whole" {
    inside -0 'NLSH_TRACE=$PWD/trace "$NLSH" -c "f() { echo \$1; }; f 1; f 2; ip link show lo >/dev/null"'
    same out $'1\n2\n'
    grep -q fallback trace
}

@test "NLSH_DISABLE=1: everything falls back" {
    inside -0 'NLSH_DISABLE=1 NLSH_TRACE=$PWD/trace "$NLSH" -c "ip link show lo"'
    grep -q fallback trace
    inside "$serving"'NLSH_DISABLE=1 LD_PRELOAD=$PRELOAD lua5.4 -e "print(os.execute(\"ip link set lo mtu 1400\"))"; kill $server'
    grep -q $'true\texit\t0' out
    if [ -e trace ]; then ! grep -q $'\tnative' trace; fi
}

@test "files of lines: comments, failures, --force, standard input" {
    printf '# a comment\n\nip link add br0 type bridge\n  # another\nip link set nosuch up\nip link set br0 up\n' >lines
    inside '"$NLSH" lines; echo "$?"; ip -br link show br0'
    same <(head -1 out) $'1\n'
    grep -q DOWN out
    grep -q 'lines:5: failed with status 1: ip link set nosuch up' err
    inside '"$NLSH" --force - <lines; echo "$?"; ip -br link show br0'
    same <(head -1 out) $'1\n'
    grep -q UP out
    inside -127 '"$NLSH" nosuchfile'
}

@test "a file without a last newline, an empty one, one of 5000 lines" {
    printf 'ip link add br0 type bridge' >lines
    inside -0 '"$NLSH" lines && ip link show br0'
    : >lines
    inside -0 '"$NLSH" lines'
    for ((i = 0; i < 5000; i++)); do echo "ip link set lo mtu $((1000 + i))"; done >lines
    inside '"$NLSH" lines && ip link show lo'
    grep -q 'mtu 5999' out
}

@test "explain: native or fallback, and why" {
    run -0 --separate-stderr --keep-empty-lines "$NLSH" explain 'ip link set x up && bridge vlan show | grep -q 10'
    [[ "$output" == *"ip link set x up"*"link set"* ]]
    run -1 "$NLSH" explain --json 'ip tunnel help'
    [[ "$output" == *'"native": false'* && "$output" == *tunnel* ]]
    python3 -c 'import json,sys; json.loads(sys.argv[1])' "$output"
}

@test "explain: what nlsh -c answers though a server declines it" {
    echo 'link show lo' >batch
    local line ways native
    while IFS= read -r line; do
        line=${line//\\n/$'\n'}
        run -1 --separate-stderr "$NLSH" explain "$line"
        [[ $output == "fallback: "* ]]
        ways=$(grep -c 'by `nlsh -c`, which popen, system and exec then start: native' <<<"$output") || true
        rm -f trace
        LINE=$line inside 'NLSH_TRACE=$PWD/trace "$NLSH" -c "$LINE"'
        native=$(grep -c $'\tnative\t' trace) || true
        echo "$line: $ways $native"
        [ "$ways" = "$native" ]
        [ "$("$NLSH" explain --json "$line" | grep -c 'nlsh -c')" = 0 ]
    done <<'END'
printf 'link set lo mtu 1400\nlink show lo\n' | ip -batch -
ip -batch - <<X\nlink show lo\nX
bash -c 'ip -batch - <<<"link show lo"'
ip -batch batch
ip -batch - <batch
cat batch | ip -batch -
grep lo batch | cat | ip -batch -
ip link set lo up | ip -batch -
ls | ip -batch -
ip -batch batch && ip link show lo
ip netns add explained
ip netns pids nosuch
ip netns identify 1
ip netns delete nosuch
ip link show lo >file
ip xfrm state
for i in *; do ip link show lo; done
END
}

@test "nlsh called as ip or bridge runs that command" {
    ln -s "$NLSH" ip
    ln -s "$NLSH" bridge
    inside './ip -j link show lo'
    diff out <(unshare -n ip -j link show lo)
    inside './bridge -V'
    diff out <(bridge -V)
    inside -1 './ip link set nosuch up'
}

@test "nlsh run: the preload, a private server, the program's status" {
    inside -7 'NLSH_TRACE=$PWD/trace "$NLSH" run -- lua5.4 -e "print(os.execute(\"ip link set lo mtu 1400\")) os.exit(7)"'
    grep -q $'true\texit\t0' out
    grep -q $'system\tnative\t0' trace
    inside -127 '"$NLSH" run nosuchprogram'
    inside -137 '"$NLSH" run -- sh -c "kill -9 \$\$"'
    ! compgen -G '/tmp/nlsh-run-*'
}

@test "the trace names the command of a chain that failed" {
    inside -0 "$serving"'LD_PRELOAD=$PRELOAD lua5.4 -e "os.execute(\"ip link set lo up && ip link set nosuch up && ip link set lo down\")"; kill $server; wait $server'
    same err $'Cannot find device "nosuch"\n'
    grep -q $'^system\tnative\t1\t.*command 2 failed with status 1: ip link set nosuch up: Cannot find device' trace
}

@test "no server: popen and system spawn nlsh or the shell" {
    lines='for line in 1 2; do LD_PRELOAD=$PRELOAD lua5.4 -e "print(io.popen(\"ip -br link\"):read(\"a\"))"; export NLSH_PROGRAM=none; done'
    inside -0 'export NLSH_SOCKET=$PWD/none NLSH_TRACE=$PWD/trace; '"$lines"
    [ "$(grep -c '^lo ' out)" = 2 ]
    grep -q $'^popen\tnative\t0\t.*\tspawned: no server$' trace
    grep -q $'^popen\tfallback.*no server\treal$' trace
}

@test "output that can't be written (operator/unwritable_test.py)" {
    timeout "$(seconds 120)" unshare -n python3 -B "$BATS_TEST_DIRNAME/operator/unwritable_test.py" "$NLSH"
}

# sh -e, because a file of lines ends with the first one that fails.

@test "what takes more than a user would type: cli/*_test.py" {
    for file in commands files netns; do
        timeout "$(seconds 300)" python3 -B "$BATS_TEST_DIRNAME/cli/${file}_test.py"
    done
}
