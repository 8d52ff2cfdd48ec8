#!/usr/bin/env bats
# The names that stay: nlsh's commands, its environment, and what happens without a server.
# Each test runs in a network namespace of its own; bytes are compared by file.

bats_require_minimum_version 1.5.0
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
    inside '"$NLSH" -c "ip link show lo"'
    [ "$status" = 0 ]
    diff out <(unshare -n ip link show lo)
    inside '"$NLSH" -q -c "ip link set nosuch up"'
    [ "$status" = 1 ]
    same err $'Cannot find device "nosuch"\n'
    inside '"$NLSH" -q -c "ip link add br0 type bridge && ip link add br0 type bridge"'
    [ "$status" = 2 ]
    same err $'RTNETLINK answers: File exists\n'
}

@test "nlsh -c names the command of a chain that failed: on a terminal, or when asked" {
    inside '"$NLSH" -v -c "ip link add br0 type bridge && ip link set nosuch up && ip link set br0 up"'
    [ "$status" = 1 ]
    same err $'Cannot find device "nosuch"\nnlsh: command 2 failed with status 1: ip link set nosuch up: Cannot find device "nosuch"\n'
    inside '"$NLSH" -c "ip link set nosuch up; ip link set nosuch up"'
    [ "$status" = 1 ]
    same err $'Cannot find device "nosuch"\nCannot find device "nosuch"\n'
    inside 'script -qec "\"$NLSH\" -c \"ip link set nosuch up; ip link set nosuch up\"" /dev/null'
    [ "$status" = 1 ]
    grep -q '^nlsh: command 1 failed with status 1: ip link set nosuch up: Cannot find device "nosuch"; command 2 failed' out
    inside 'script -qec "\"$NLSH\" -q -c \"ip link set nosuch up; ip link set nosuch up\"" /dev/null'
    ! grep -q '^nlsh:' out
}

@test "nlsh -c moves a link to the namespace of a process, or at a path" {
    inside 'ip link add v0 type veth peer name v1; ip link add v2 type veth peer name v3
        unshare -n sleep 10 & process=$!
        until [ "$(readlink /proc/$process/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do :; done
        NLSH_TRACE=$PWD/trace "$NLSH" -c "ip link set v1 netns $process && ip link set v3 netns /proc/$process/ns/net"; echo "$?"
        nsenter -t $process -n ip -br link show v1; nsenter -t $process -n ip -br link show v3; kill $process'
    same <(sed -n 's/^\(v[0-9]\|[0-9]$\).*/\1/p' out) $'0\nv1\nv3\n'
    ! grep -q fallback trace
    inside 'ip link add v0 type veth peer name v1; "$NLSH" -q -c "ip link set v1 netns 4194303; ip link set v1 netns /nosuch"'
    [ "$status" = 255 ]
    same err $'RTNETLINK answers: No such process\nError: argument "/nosuch" is wrong: Invalid "netns" value\n\n'
}

@test "nlsh -c: a line that it does not know falls back as a whole" {
    inside 'NLSH_TRACE=$PWD/trace "$NLSH" -c "f() { echo \$1; }; f 1; f 2; ip link show lo >/dev/null"'
    [ "$status" = 0 ]
    same out $'1\n2\n'
    grep -q fallback trace
}

@test "NLSH_DISABLE=1: everything falls back" {
    inside 'NLSH_DISABLE=1 NLSH_TRACE=$PWD/trace "$NLSH" -c "ip link show lo"'
    [ "$status" = 0 ]
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
    inside '"$NLSH" nosuchfile'
    [ "$status" = 127 ]
}

@test "a file without a last newline, an empty one, one of 5000 lines" {
    printf 'ip link add br0 type bridge' >lines
    inside '"$NLSH" lines && ip link show br0'
    [ "$status" = 0 ]
    : >lines
    inside '"$NLSH" lines'
    [ "$status" = 0 ]
    for ((i = 0; i < 5000; i++)); do echo "ip link set lo mtu $((1000 + i))"; done >lines
    inside '"$NLSH" lines && ip link show lo'
    grep -q 'mtu 5999' out
}

@test "a name file is read anew after a script, or the writer of its lines, changes it" {
    for _ in $(seq 20); do echo "ip route replace 10.9.0.0/16 dev lo table 77"; done >noise
    { cat noise; echo 'echo "77 foo" >>/etc/iproute2/rt_tables'; cat noise; echo "ip route show table foo"
      cat noise; echo "sed -i s/foo/bar/ /etc/iproute2/rt_tables"; cat noise; echo "ip route show table bar"; } >lines
    # Lines that come one by one: each when the one before has been carried out.
    cat >writer.py <<'EOF'
import socket, subprocess, sys
kernel = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
kernel.bind((0, 1 << 6))  # RTMGRP_IPV4_ROUTE
reader = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)
for number in range(1, 101):
    with open("/etc/iproute2/rt_tables", "a") as file:
        file.write(f"{number} t{number}\n")
    reader.stdin.write(f"ip route add 10.9.0.0/16 dev lo table t{number}\n".encode())
    reader.stdin.flush()
    kernel.recv(4096)
reader.stdin.close()
sys.exit(reader.wait())
EOF
    own='mount --make-rprivate /; cp -r /etc/iproute2 names; mount --bind names /etc/iproute2; ip link set lo up; '
    inside "unshare -m bash -c '$own sh lines'"
    mv out real
    rm -r names
    inside "unshare -m bash -c '$own NLSH_TRACE=\$PWD/trace \"\$NLSH\" lines'"
    [ "$status" = 0 ]
    diff real out
    [ "$(grep -c $'\tfallback\t' trace)" = 1 ]
    rm -r names
    inside "unshare -m bash -c '$own python3 writer.py \"\$NLSH\" -'"
    [ "$status" = 0 ]
}

@test "explain: native or fallback, and why" {
    run --separate-stderr --keep-empty-lines "$NLSH" explain 'ip link set x up && bridge vlan show | grep -q 10'
    [ "$status" = 0 ]
    [[ "$output" == *"ip link set x up"*"link set"* ]]
    run "$NLSH" explain --json 'ip tunnel help'
    [ "$status" = 1 ]
    [[ "$output" == *'"native": false'* && "$output" == *tunnel* ]]
    python3 -c 'import json,sys; json.loads(sys.argv[1])' "$output"
}

@test "nlsh called as ip or bridge runs that command" {
    ln -s "$NLSH" ip
    ln -s "$NLSH" bridge
    inside './ip -j link show lo'
    diff out <(unshare -n ip -j link show lo)
    inside './bridge -V'
    same out $'bridge utility, 6.1.0\n'
    inside './ip link set nosuch up'
    [ "$status" = 1 ]
}

@test "nlsh run: the preload, a private server, the program's status" {
    inside 'NLSH_TRACE=$PWD/trace "$NLSH" run -- lua5.4 -e "print(os.execute(\"ip link set lo mtu 1400\")) os.exit(7)"'
    [ "$status" = 7 ]
    grep -q $'true\texit\t0' out
    grep -q $'system\tnative\t0' trace
    inside '"$NLSH" run nosuchprogram'
    [ "$status" = 127 ]
    inside '"$NLSH" run -- sh -c "kill -9 \$\$"'
    [ "$status" = 137 ]
    ! compgen -G '/tmp/nlsh-run-*'
}

@test "the trace names the command of a chain that failed" {
    inside "$serving"'LD_PRELOAD=$PRELOAD lua5.4 -e "os.execute(\"ip link set lo up && ip link set nosuch up && ip link set lo down\")"; kill $server; wait $server'
    [ "$status" = 0 ]
    same err $'Cannot find device "nosuch"\n'
    grep -q $'^system\tnative\t1\t.*command 2 failed with status 1: ip link set nosuch up: Cannot find device' trace
}

@test "no server: popen and system spawn nlsh or the shell" {
    lines='for line in 1 2; do LD_PRELOAD=$PRELOAD lua5.4 -e "print(io.popen(\"ip -br link\"):read(\"a\"))"; export NLSH_PROGRAM=none; done'
    inside 'export NLSH_SOCKET=$PWD/none NLSH_TRACE=$PWD/trace; '"$lines"
    [ "$status" = 0 ]
    [ "$(grep -c '^lo ' out)" = 2 ]
    grep -q $'^popen\tnative\t0\t.*\tspawned: no server$' trace
    grep -q $'^popen\tfallback.*no server\treal$' trace
}

@test "filters after a change: non-ASCII text follows the locale, or falls back" {
    wide=$'d\xc3\xa9' broken=$'d\xff'
    devices="ip link add $wide type bridge; ip link add $broken type bridge; "
    # native NUMBER: that many of the filters are native after the change.
    filters() {
        local native=0
        for filter in 'grep d' 'grep -o d.' 'grep -c d.:' 'grep -ci D' 'grep -qw d' 'sed s/d./x/' 'wc -w' 'wc' "awk '/d.:/ {print \$2}'" \
            'grep -c d' 'grep -cv d' 'grep -q d' 'sed s/d/xx/' 'wc -l' 'wc -c' "awk '{print \$2}'" 'cut -c 1-6' 'cut -d: -f 2' 'tr d x' 'sort' 'uniq' \
            'head -n 3' 'tail -n 2' 'cat' 'LC_ALL=C grep -o d.'; do
            line="ip link set lo mtu 1400 && ip -o link show type bridge | tr -s ' ' | cut -d' ' -f 2-5 | $filter; echo \$?"
            rm -f trace
            LINE=$line inside "$devices"'sh -c "$LINE"'
            mv out real; mv err real.err
            LINE=$line inside "$devices"'NLSH_TRACE=$PWD/trace "$NLSH" -q -c "$LINE"'
            cmp out real && cmp err real.err || { echo "$LC_ALL: $filter"; return 1; }
            if ! grep -q fallback trace; then native=$((native + 1)); fi
        done
        [ "$native" = "$1" ] || { echo "$LC_ALL: $native native"; return 1; }
    }
    LC_ALL=C filters 25
    LC_ALL=C.UTF-8 filters 16
}

@test "a stopped server: calls fall back within the timeout" {
    # Until each of its threads has stopped: one that still reads the request holds its caller.
    inside "$serving"'kill -STOP $server
        until [ "$(sed "s/.*) //; s/ .*//" /proc/$server/task/*/stat | sort -u)" = T ]; do sleep 0.01; done
        start=$(date +%s%N)
        NLSH_TIMEOUT_MS=300 LD_PRELOAD=$PRELOAD lua5.4 -e "print(os.execute(\"ip link set lo mtu 1400\"))"
        echo took $((($(date +%s%N) - start) / 1000000))
        kill -CONT $server; kill $server; wait $server
        ip link show lo'
    grep -q $'true\texit\t0' out
    grep -q 'mtu 1400' out
    [ "$(sed -n 's/^took //p' out)" -lt 5000 ]
}

@test "a caller in another network namespace changes only that namespace" {
    inside "$serving"'unshare -n sh -c "LD_PRELOAD=$PRELOAD lua5.4 -e \"os.execute([[ip link add br7 type bridge]])\"; ip -br link"
        echo here:; ip -br link; kill $server'
    [ "$(sed '/^here:/,$d' out | grep -c br7)" = 1 ]
    [ "$(sed '1,/^here:/d' out | grep -c br7)" = 0 ]
    grep -q $'system\tnative\t0' trace
}

@test "a caller without rights gets its own ip's result" {
    inside 'chmod 755 . ; '"$serving"': >trace; chmod 666 trace
        setpriv --reuid 65534 --regid 65534 --clear-groups env LD_PRELOAD=$PRELOAD lua5.4 -e "print(os.execute(\"ip link add br7 type bridge\"))"
        ip -br link; kill $server'
    grep -q $'nil\texit\t2' out
    same err $'RTNETLINK answers: Operation not permitted\n'
    ! grep -q br7 out
}

@test "output that can't be written (operator/unwritable_test.py)" {
    timeout "$(seconds 120)" unshare -n python3 -B "$BATS_TEST_DIRNAME/operator/unwritable_test.py" "$NLSH"
}

@test "wrong uses of nlsh (operator/wrong-uses.tsv)" {
    mkdir bin
    ln -s "$NLSH" bin/nlsh
    export PATH=$PWD/bin:$PATH NLSH_SOCKET=$PWD/sock
    chmod 755 . # for the one who isn't root
    local rows=0 wrong=0 typed expected seen
    while IFS=$'\t' read -r typed expected seen; do
        [[ $typed != '#'* ]] || continue
        rows=$((rows + 1))
        rm -rf use && mkdir use && cd use
        echo 'ip link show lo' >good.lines
        printf 'x=nosuch\nip link show $x\n' >carried.lines
        printf 'ip link show lo\r\n' >crlf.lines
        printf 'order: any\ncommands: ip link show lo\n' >bad.yaml
        status=0
        timeout "$(seconds 20)" unshare -n bash -c "$typed" </dev/null >../out 2>&1 || status=$?
        [ "$status" = "$expected" ] && grep -Eq -- "$seen" ../out && [ ! -e ran ] || {
            wrong=$((wrong + 1))
            echo "$typed: $status instead of $expected"
            sed 's/^/    /' ../out
        }
        cd ..
    done <"$BATS_TEST_DIRNAME/operator/wrong-uses.tsv"
    echo "$rows rows, $wrong wrong"
    ! compgen -G 'sock*' # no server was started
    [ "$rows" -ge 60 ]
    [ "$wrong" = 0 ]
}

# sh -e, because a file of lines ends with the first one that fails.
@test "a file of lines does what sh does with it, or doesn't start" {
    local number=0 refused=0
    alike() { # sh|refused
        number=$((number + 1))
        local links='ip link add br0 address 02:00:00:00:00:01 type bridge; ip link add br1 address 02:00:00:00:00:02 type bridge' state='echo status $?; ip -br link | cut -c 1-8'
        inside "$links; sh -e file; $state"
        mv out real
        inside "$links; \"\$NLSH\" -q file; $state"
        if [ "$1" = refused ]; then
            diff out <(printf '%s\n' 'status 2' 'lo      ' 'br0     ' 'br1     ') # nothing has run
            grep -q '^nlsh: file:[0-9]*: ' err
            refused=$((refused + 1))
        else
            diff real out
        fi
    }
    printf '%s\n' 'ip link set br0 up' 'ip -o link show br0 | cut -d: -f 2' >file; alike sh
    printf '%s\n' 'x=br1; ip link del $x' 'x=br0; ip link del $x' >file; alike sh
    printf '%s\n' '(cd /; exit 0)' 'for i in br0 br1; do ip link del $i; done' '# a comment' '' 'echo done' >file; alike sh
    printf '%s\n' 'ip link del br0' 'exit 3' >file; alike sh
    printf '%s\n' 'if ip link show br0; then ip link del br0; fi' 'test -d / && echo "$HOME"' >file; alike sh
    printf '%s\n' 'ip link del br0' 'x=nosuch' 'ip link del $x' >file; alike refused
    printf '%s\n' 'ip link del br0' 'PATH=/nowhere' 'ip link del br1' >file; alike refused
    printf '%s\n' 'ip link del br0' 'cd /tmp' 'ip link del br1' >file; alike refused
    printf '%s\n' 'ip link del br0' 'export A=1' 'ip link del br1' >file; alike refused
    printf '%s\n' 'ip link del br0' 'exit 0' 'ip link del br1' >file; alike refused
    printf '%s\n' 'ip link del br0' 'umask 077' 'ip link del br1' >file; alike refused
    printf '%s\n' 'f() { ip link del br0; }' 'f' >file; alike refused
    printf '%s\n' 'ip link del \' 'br0' >file; alike refused
    printf '%s\n' 'if true' 'then ip link del br0' 'fi' >file; alike refused
    printf '%s\n' 'ip link del br0 &&' 'ip link del br1' >file; alike refused
    printf '%s\n' 'cat <<X' 'ip link del br0' 'X' >file; alike refused
    [ "$number" = 16 ] && [ "$refused" = 11 ]
    # What comes by a pipe can't be known before: it ends at that line.
    inside 'printf "ip link add br0 type bridge\ncd /\nip link del br0\n" | "$NLSH" -; echo $?; ip -br link show br0 | cut -c 1-3'
    same out $'2\nbr0\n'
    grep -q '^nlsh: -:2: .cd. would act on the lines after it' err
}

@test "a long file shows its progress on a terminal only" {
    { for _ in $(seq 8); do echo 'sleep 0.2'; done; echo 'ip link show nosuch'; } >lines
    TERM=xterm inside 'script -qec "\"\$NLSH\" lines >/dev/null" /dev/null'
    grep -aq '%  [0-9]* lines/s  [0-9:]* left' out
    # Nothing of the bar is left where the error stands.
    tr '\r' '\n' <out | grep -a 'Device "nosuch"' | grep -av '%'
    TERM=xterm inside '"$NLSH" lines'
    [ ! -s out ]
    [ "$(wc -l <err)" = 2 ]
}

@test "COLORFGBG: the palette equals the real ip's" {
    inside 'values=("" 0 15 ";" ";0" "0;" "15;0" "0;15" "0;05" "0;00" "0;15 " "0;0 " "0; 0" "0;-1" "0;x" "0;8x" "0;0;" "0;default;15" "15;default;0" default)
        for color in {0..17} 71 80 231; do values+=("0;$color"); done
        for value in "${values[@]}"; do
            COLORFGBG=$value ip -c=always link show lo >real
            COLORFGBG=$value NLSH_TRACE=$PWD/trace "$NLSH" -c "ip -c=always link show lo" >own
            cmp real own || echo "COLORFGBG=$value"
        done'
    same out ''
    [ "$status" = 0 ]
    ! grep fallback trace
}
