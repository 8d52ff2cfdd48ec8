#!/usr/bin/env bats
# Compares `ip -batch` and `bridge -batch` of nlsh with the real tools: output, status, the rest of standard input, and the network's
# state. Each run has its own network namespace.

load sanitizer

setup() {
    nlsh=$NLSH
    mkdir "$BATS_TEST_TMPDIR/shim"
    ln -s "$(realpath "$nlsh")" "$BATS_TEST_TMPDIR/shim/ip"
    ln -s "$(realpath "$nlsh")" "$BATS_TEST_TMPDIR/shim/bridge"
    cd "$BATS_TEST_TMPDIR"
    export TRACE=$BATS_TEST_TMPDIR/trace
}

# in_namespace NAME PREFIX COMMAND: runs COMMAND (a shell line) in a namespace with v0, v1 and br0; NAME.* has the results.
in_namespace() {
    timeout "$(seconds 60)" unshare -nm --propagation private bash -c '
        mount -t tmpfs none /run && mkdir /run/netns
        echo 0 >/proc/sys/net/ipv6/conf/default/disable_ipv6
        echo 1 >/proc/sys/net/ipv6/conf/default/addr_gen_mode
        /sbin/ip link add v0 address 02:00:00:00:00:01 type veth peer name v1 address 02:00:00:00:00:02
        /sbin/ip link add br0 address 02:00:00:00:00:03 type bridge
        /sbin/ip link set v0 up && /sbin/ip link set v1 up
        until /sbin/ip link show v0 | grep -q "state UP"; do sleep 0.02; done
        name=$1 path=$2
        (PATH=${path:+$path:}$PATH NLSH_TRACE=$TRACE bash -c "$3" >"$name.out" 2>"$name.err"; echo $? >"$name.status")
        (PATH=${path:+$path:}$PATH bash -c "$4" >"$name.both" 2>&1)
        { /sbin/ip -d addr; /sbin/ip route show table all; /sbin/ip neigh; /sbin/bridge fdb; } |
            sed "s/ users [0-9]*//; s/valid_lft.*//; s/ used [0-9/]*//" | sort >"$name.state"
    ' in_namespace "$1" "$2" "$3" "$4"
}

# same COMMAND: the shell line COMMAND must do the same by the shim as by the real tools.
same() {
    local merged=${2-$1}
    : >"$TRACE"
    in_namespace real "" "$1" "$merged"
    in_namespace shim "$BATS_TEST_TMPDIR/shim" "$1" "$merged"
    for each in out err status both state; do
        diff -u "real.$each" "shim.$each" || { echo "$each differs: $1"; cat batch; return 1; }
    done
}

# native, partly: check how nlsh answered the first run of the last `same`.
native() {
    grep -q $'\tnative\t' "$TRACE" && ! grep -q $'\tfallback\t' "$TRACE" || { cat "$TRACE" batch; return 1; }
}
partly() {
    grep -q $'\tfallback\t.*\tline '"$1:" "$TRACE" || { cat "$TRACE" batch; return 1; }
}

@test "changes and shows, one after the other, natively" {
    cat >batch <<'END'
# a comment
link set v0 mtu 1400

	addr add 10.0.0.1/24 dev v0 # another
route add 10.1.0.0/16 \
    via 10.0.0.9 dev 'v0'
neigh add "10.0.0.9" lladdr 02:00:00:00:00:09 dev v0
addr show dev v0
route show
route show table 4242
rule show
neigh show
link show v0
END
    for options in "" -j "-j -p" "-o -force" -4 "-t -c=never"; do
        same "ip $options -batch batch"
        native
    done
    same "ip -b - <batch"
    native
    same "cat batch | ip -b -"
    partly 13
}

@test "refused lines, with and without -force" {
    cat >batch <<'END'
addr add 10.0.0.1/24 dev v0
addr add 10.0.0.1/24 dev v0

route add 10.0.0.1/24 dev \
  v0 table 10
route add 10.3.0.0/16 via 10.99.0.1
link set v0 mtu 9
END
    same "ip -batch batch"
    native
    same "ip -force -batch $PWD/batch"
    native
    same "ip -force -batch - <batch"
    native
    same "cat batch | ip -force -batch -"
    native
    printf 'neigh add 10.0.0.9 dev v0\naddr add 10.0.0.1/24 dev v0\n' >batch
    same "ip -force -batch batch"
    native
    same "{ ip -force -batch -; cat; } <batch"
    printf 'fdb add 02:00:00:00:00:44 dev v0 self\nfdb add 02:00:00:00:00:44 dev v0 master\nlink set dev v0 cost 9\n' >batch
    same "bridge -batch batch"
    native
    same "bridge -force -batch batch"
    native
}

@test "-force sends many lines together" {
    for i in $(seq 700); do
        echo "route replace 10.9.$((i / 250)).$((i % 250)) via 10.0.0.9 dev v0"
        # The kernel refuses some lines, at different places; a device is unknown until a line makes it.
        [ $((i % 97)) != 0 ] || echo "route add 10.9.0.1 via 10.0.0.9 dev v0"
        [ $((i % 101)) != 0 ] || echo "link set new$i mtu 1400"
        [ $((i % 60)) != 0 ] || printf 'addr add 10.1.0.%s/24 dev v0\naddr del 10.1.0.%s dev v0\n' $((i / 60)) $((i / 90))
        [ $((i % 50)) != 0 ] || printf 'link add new%s address 02:00:00:00:01:%02x type bridge\nlink set new%s mtu 1300\n' $i $((i / 50)) $i
        [ $((i % 80)) != 0 ] || printf 'rule add pref %s table 5\nrule del pref %s\n' "$i" $((i + i % 3))
        [ $((i % 90)) != 0 ] || printf 'nexthop add id %s via 10.0.0.9 dev v0\nnexthop del id %s\n' $((i / 2)) $((i / 3))
        [ $((i % 70)) != 0 ] || echo "route show 10.9.0.$((i / 7))"
        [ $((i % 120)) != 0 ] || echo "link set v0 address 02:00:00:00"
    done >batch
    sed -i '1i addr add 10.0.0.1/24 dev v0' batch
    [ "$(wc -c <batch)" -gt 32768 ]
    same "ip -force -batch batch"
    same "ip -batch batch"
    same "ip -force -batch - <batch"
    seq -f 'fdb add 02:00:00:00:02:%02.0f dev v0 self' 10 99 >batch
    sed -i '40p; 60i fdb add 02:00:00:00:02:00 dev nosuch self' batch
    # v0 is no port, so the kernel refuses a setting and a group member.
    sed -i '20i link set dev v0 learning on' batch
    sed -i '30i mdb add dev br0 port v0 grp 239.1.1.1 permanent' batch
    same "bridge -force -batch batch"
    same "bridge -batch batch"
}

@test "from the first line that isn't native on, the real binary runs the batch" {
    # shellcheck disable=SC2016
    for line in "link set nope up" "link set v0 foo" "bogus" "link help" "-6 link" 'link "set' "addr add 1.2.3.4.5 dev v0" \
        "link set v0 master nope" "token get dev v0" 'link set v0 \'; do
        printf 'link set v0 mtu 1400\naddr add 10.0.0.1/24 dev v0\n# x\n%s\naddr add 10.0.0.1/24 dev v0\nlink set v1 mtu 1300\n' \
            "$line" >batch
        same "ip -batch batch"
        partly 4
        same "ip -force -batch - <batch"
        partly 4
        same "cat batch | ip -force -batch -"
        partly 4
    done
    printf 'addr add 10.0.0.1/24 dev v0\naddr add 10.0.0.1/24 dev v0\ntoken get dev v0\n' >batch
    same "ip -force -batch batch"
    partly 3
    printf 'fdb add 02:00:00:00:00:44 dev v0 self\nfdb show dev v0\nfdb show\nfdb add bad dev v0\n' >batch
    same "bridge -force -batch batch"
    partly 2
}

@test "lines that leave state to later ones" {
    printf 'link set v0 mtu 1400\nlink show v0\naddr show v0\naddr show\n' >batch
    same "ip -batch batch"
    partly 2
    same "cat batch | ip -batch -"
    partly 2
    printf 'addr add 10.0.0.1/24 dev v0\nneigh flush dev v0\nnexthop show\naddr show dev v0\n' >batch
    same "ip -batch batch"
    partly 2
    printf 'addr add 10.0.0.1/24 dev v1\nlink del v0\nlink add v0 address 02:00:00:00:00:01 type veth peer name v1 address 02:00:00:00:00:02\naddr add 10.0.0.1/24 dev v1\n' >batch
    same "ip -batch batch"
    grep -q $'\tfallback\t' "$TRACE"
    # The real program remembers the deleted names, so the errors are the kernel's.
    for line in "link del v0" "link property del dev v0 altname x"; do
        printf 'link property add dev v0 altname x\naddr show\n%s\nlink set v1 mtu 1400\nlink set x mtu 1400\n' "$line" >batch
        same "ip -force -batch batch"
        grep -q $'\tfallback\t' "$TRACE"
        same "cat batch | ip -force -batch -"
        partly 1
    done
    printf 'link set v0 mtu 1400\naddr show\nlink del v0\n' >batch
    same "ip -batch batch"
    native
    printf 'link show up\nlink show\nlink show type bridge\nlink\nroute show table local\nroute\n' >batch
    same "ip -batch batch"
    native
    same "ip -br -batch batch"
    native
}

@test "splitting a batch's lines into words" {
    i=0
    while IFS= read -r text; do
        printf '%b' "$text" >batch
        same "ip -force -batch batch"
        i=$((i + 1))
    done <<'END'
link set "v#0" up\n
link set v0 mtu 1400 # c\\\nlink set v0 mtu 9\n
link set v0 \\\n mtu 9 # c\nlink set v1 mtu 9
link set v0 \\\n\\\n mtu 9\nlink set v1 mtu 9
link set v0 mtu 1400 \\
link set v0 mtu 1400\nlink set v1 mtu 1400 \\\n
link set v0 mtu 1400 \\ \nlink set v0 mtu 9
"link" 'set'"v0" mtu 9\n
link set v"0" up\n
"" link\n
link\tset\r v0\r\n
\n\n  \t\r\n#x\nlink set v0 mtu 9
END
    [ "$i" = 12 ]
}

@test "the rest of standard input after a batch" {
    printf 'link set v0 mtu 1400\nlink set v0 mtu 9\nrest\n' >batch
    same "{ ip -batch -; cat; } <batch"
    native
    printf 'link set v0 mtu 1400\nbogus\nrest\nrest\n' >batch
    same "{ ip -batch -; cat; } <batch"
    partly 2
    printf 'bogus\nrest\nrest\n' >batch
    same "{ ip -batch -; cat; } <batch"
}

@test "a batch that gets its lines one by one" {
    cat >talk <<'END'
coproc ip -force -batch -
pid=$COPROC_PID
echo "addr add 10.0.0.1/24 dev v0" >&"${COPROC[1]}"
echo "addr show dev v0" >&"${COPROC[1]}"
read -r first <&"${COPROC[0]}"; echo "$first"
echo "ntable show dev v0 name arp_cache" >&"${COPROC[1]}"
while read -r line <&"${COPROC[0]}" && [[ $line != *arp_cache* ]]; do :; done
echo "$line"
echo "link set v0 mtu 9" >&"${COPROC[1]}"
eval "exec ${COPROC[1]}>&-"
wait "$pid"
END
    touch batch
    same "bash talk"
}

@test "files that can't be read, options, arguments" {
    printf 'link set v0 mtu 1400\naddr add 10.0.0.1/24 dev v0\naddr add 10.0.0.1/24 dev v0' >batch
    for line in "ip -batch /nonexistent" "ip -batch" "ip -batch ." "ip -batch /dev/null" "ip -batch batch link show" \
        "ip -batch <(cat batch)" "ip -batch batch -j" "ip -b batch -b /nonexistent" \
        "ip -n nope -batch batch" "ip -c -batch batch" "ip -batch batch >&-"; do
        same "$line"
    done
}

@test "nlsh -c runs a batch in process" {
    printf 'link set v0 mtu 1400\naddr add 10.0.0.1/24 dev v0\naddr add 10.0.0.1/24 dev v0\n' >batch
    in_namespace real "" "ip -force -batch batch" true
    in_namespace nlsh "" "'$nlsh' -c 'ip -force -batch batch'" true
    native
    for each in out err status state; do diff "real.$each" "nlsh.$each"; done
}

@test "-netns in process" {
    touch batch
    for line in "ip -n x link set lo up; ip -n x addr show lo" "bridge -n x link" "ip -n x route add 10.0.0.0/8 dev lo"; do
        same "/sbin/ip netns add x; $line; /sbin/ip netns exec x /sbin/ip addr show lo; /sbin/ip netns del x"
        native
    done
    printf 'link set lo up\naddr add 10.0.0.1/24 dev lo\naddr add 10.0.0.1/24 dev lo\n' >batch
    same "/sbin/ip netns add x; ip -n x -force -b batch; /sbin/ip -n x addr; /sbin/ip netns del x"
    native
    same "ip -n nope link; ip -n /x/y link; ip -n"
}

@test "lines that give a batch its text: the same by every way" {
    timeout --kill-after=10 "$(seconds 400)" "$BATS_TEST_DIRNAME/shell/batch_lines.py" --lines 40 | sed 's/^/# /' >&3
    [ "${PIPESTATUS[0]}" = 0 ]
}
