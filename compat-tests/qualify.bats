#!/usr/bin/env bats
# `nlsh qualify`: builds of iproute2 that nobody has written down are run against recordings. The builds are this machine's under
# other build ids, with single texts in them changed, and programs that only have the name.

bats_require_minimum_version 1.5.0
load sanitizer
load qualify

@test "a build as recorded: nothing is contradicted, and lines are native" {
    build ip && build bridge
    fallback "ip link show" "which is not known"
    "$NLSH" qualify >out
    sed 's/^/# /' out >&3
    grep -q '^ip: .* 0 contradicted' out
    ! grep 'left to it' out | grep -v 'bridge vni'  # whose requests have bytes that nobody has set
    for line in "ip link show" "ip -j address show" "ip route add 10.0.0.0/8 via 10.1.1.1" "bridge fdb show" "ip link set eth0 mtu 1400"; do
        native "$line"
    done
    same "ip -d link show lo; ip -s link; ip -j -p addr; bridge link"
    "$NLSH" doctor | grep -E '^(good|warning) +ip .*qualified by recordings 0 hours ago'
}

@test "a build that prints one word differently: what prints it falls back, the rest doesn't" {
    build ip 'numtxqueues %u ' 'NUMTXQUEUES %u '
    build bridge
    "$NLSH" qualify >out
    grep -q '^ip: .* [1-9][0-9]* contradicted' out
    fallback "ip -d link show eth0" "isn't proven of this iproute2"
    native "ip link show eth0"
    native "ip -j -d link show eth0"
    native "ip route show"
    native "ip rule show"  # a line of the recordings that shows links in detail sets some, too
    native "ip -n blue link show"
    same "ip -d link show lo; ip link show lo"
}

@test "a build that calls the kernel otherwise to enter a namespace: what enters one falls back, the rest doesn't" {
    build ip '\0sysfs\0' '\0sysfx\0'
    build bridge
    "$NLSH" qualify >out
    fallback "ip -n blue link show" "-n isn't proven of this iproute2"
    fallback "ip netns exec blue ip link show" "-netns isn't proven of this iproute2"
    native "ip link show" && native "ip -d -j address show" && native "ip link set lo up" && native "ip netns list"
    native "bridge -n blue link show"
    ! grep 'left to it: ip' out
}

@test "a build with /var/run/netns (Ubuntu's 5.15): nothing is contradicted, and only messages that name it fall back" {
    build ip && build bridge
    PYTHONPATH=$BATS_TEST_DIRNAME python3 -B -c 'import pathlib; from builds import other_build
tools = pathlib.Path.cwd() / "tools"
other_build.add_library(tools / "ip", tools / "libvar_run.so", "var_run.c")'
    printf '/var/run/netns\0' >>tools/ip  # as the trait looks for it
    "$NLSH" qualify >out
    sed 's/^/# /' out >&3
    grep -q '^ip: .* 0 contradicted' out
    for line in "ip -n blue link show" "ip netns exec blue ip link show" "ip link show" "ip netns list" "ip link set v1 netns blue"; do
        native "$line"
    done
    fallback "ip netns add blue" "isn't proven of this iproute2"
}

@test "builds that make a call of namespaces, tuns or tunnels once less, once more, later or with another argument: what makes it falls back" {
    mkdir -m 755 thin
    cp "$NLSH" "$(dirname "$NLSH")/nlsh-replay.so" thin
    "$BATS_TEST_DIRNAME/replay/thin" "$(dirname "$NLSH")/nlsh-replay.xz" thin/nlsh-replay.xz netns options-netns tunnel link-show
    local calls=${NLSH_SHORT:+1}
    NLSH=$PWD/thin/nlsh python3 -B "$BATS_TEST_DIRNAME/builds/otherwise.py" "$PWD" "${calls:-7}" >out || { cat out; false; }
    sed 's/^/# /' out >&3
    grep -qE '^[1-9][0-9]* as recorded, native' out
    grep -qE '^[1-9][0-9]* otherwise, falls back' out
}

# patched OPTION…: SONiC's patch, played (builds/protocols.c), as a build of its own.
patched() {
    build bridge
    PYTHONPATH=$BATS_TEST_DIRNAME python3 -B -c 'import pathlib, sys; from builds import other_build
tools = pathlib.Path.cwd() / "tools"
other_build.patch(tools / "bridge", tools / "libprotocols.so", tuple(sys.argv[1:]))' "$@"
    "$NLSH" qualify --quiet
}

@test "SONiC's patched bridge, played: an fdb's protocol is native wherever its request has it, and falls back if it is sent otherwise" {
    local lines=("bridge fdb add 00:00:00:00:00:00 dev lo proto hw"
        "bridge fdb replace 00:bb:00:00:00:01 dev v0 master dynamic extern_learn vlan 10 proto zebra")
    build ip
    for option in "" -DFIRST -DWIDE; do
        patched $option
        native "bridge fdb show"
        for line in "${lines[@]}"; do
            case $option in
                -DWIDE) fallback "$line" "isn't proven" ;;
                *) native "$line" && same "$line" ;;
            esac
        done
        fallback "bridge fdb add 00:00:00:00:00:00 dev lo proto nobody" "fdb: protocol"
        fallback "bridge fdb add 00:00:00:00:00:00 dev lo proto 5 proto 5" "fdb: protocol"
    done
}

@test "abbreviations and words that no recording has fall back" {
    build ip && build bridge
    "$NLSH" qualify --quiet
    native "ip link set dev eth0 up"
    fallback "ip link set dev eth0 promi on" "promi isn't proven"
    fallback "ip link show dev lo newword" "isn't proven"
}

@test "no rights, no /proc, in a chroot, without namespaces" {
    thinly
    build ip && build bridge
    mkdir -m 777 nobody
    chmod 755 "$NLSH"
    HOME=$PWD/nobody setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set -all "$NLSH" qualify >out
    grep -q '^ip: .* 0 contradicted' out
    [ "$(stat -c %U nobody/.cache/nlsh/qualified)" = nobody ]
    [ ! -e record/qualified ]
    fallback "ip link show" "which is not known"  # root doesn't believe nobody's record
    HOME=$PWD/nobody setpriv --reuid 65534 --regid 65534 --clear-groups "$NLSH" explain "ip link show" >explained
    for name in "$NLSH" ./nlsh nlsh; do
        unshare -m bash -c 'mount -t tmpfs none /proc && cd "${NLSH%/*}" && PATH=:$PATH && exec env "$0" qualify' "$name" >out
        grep -q '^ip: .* 0 contradicted' out
    done
    ! unshare -m bash -c 'mkdir gone && mount --bind "${NLSH%/*}" gone && cd gone && umount -l "$PWD" && mount -t tmpfs none /proc && exec env ./nlsh qualify' 2>failure
    grep -q "call me by my whole path" failure
}

@test "it reaches nothing: no socket, no file, no exec" {
    thinly
    build ip && build bridge
    unshare -n strace -f -qq -e trace=socket,connect,execve,setns,unshare,mount,openat -o calls "$NLSH" qualify --quiet
    ! grep -E 'socket\(.*= [0-9]|connect\(.*= 0|setns\(.*= 0|unshare\(.*= 0|mount\(.*= 0' calls
    grep 'execve.*= 0' calls
    [ "$(grep -c 'execve.*= 0' calls)" = 9 ]  # nlsh, four times ip and bridge
    ! grep -E 'openat\(.*(O_WRONLY|O_RDWR).*= [0-9]' calls | grep -vE '"/dev/null"|record/'
}

@test "programs that crash, hang, say nothing or aren't iproute2: nothing of them is native" {
    thinly
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: it waits two minutes for limits"
    build bridge
    for body in 'abort();' 'for (;;) pause();' 'for (;;);' 'return 0;' 'puts("no such applet"); return 1;' \
        'write(4, "0 same 0 0 0\\n", 13); return 0;' \
        'return 0; } __attribute__((constructor)) static void early(void) { write(4, "ready\n4294967295 same 0 0 0\n", 28);' \
        'close(4); kill(getppid(), SIGKILL); return 0;' 'for (;;) puts("more");'; do
        program "$body"
        timeout "$(seconds 60)" "$NLSH" qualify >out || [ $? -le 124 ]
        cat out
        status=0
        timeout "$(seconds 5)" "$NLSH" explain "ip link show" >explained || status=$?
        [ "$status" = 1 ]  # and doesn't wait for the program
    done
}

@test "a tool that is static, or has rights of its own, isn't run" {
    thinly
    build bridge
    printf 'int main(void) { return 0; }\n' >ip.c
    gcc -static -o tools/ip ip.c
    "$NLSH" qualify >out
    grep -q "^ip: it isn't" out
    build ip
    chmod u+s tools/ip
    "$NLSH" qualify >out
    grep -q "^ip: it isn't" out
    fallback "ip link show" ""
}

@test "records that are cut off, edited, or somebody else's don't count" {
    thinly
    build ip && build bridge
    "$NLSH" qualify --quiet
    native "ip link show"
    proof=$(grep -o '^ip .* proof=[^ ]*' record/qualified | sed 's/.*proof=//')
    cp -r record kept
    for harm in 'truncate -s 1000 record/$proof' 'echo x >>record/$proof' 'sed -i 5s/./z/ record/$proof' 'rm record/$proof' \
        'chmod 666 record/$proof' 'chown nobody record/$proof' 'chmod 777 record' 'mv record/$proof record/other; ln -s other record/$proof' \
        'rm record/$proof; mkfifo record/$proof' 'sed -i s,proof=proof-,proof=../proof-, record/qualified' 'truncate -s 100 record/qualified' \
        'head -c 5000000 /dev/zero >record/qualified' 'head -c 100000 /dev/urandom >record/$proof'; do
        eval "$harm"
        timeout 10 "$NLSH" explain "ip link show" >explained && { echo "$harm"; false; }
        rm -rf record
        cp -rp kept record
        chmod 755 record
    done
    native "ip link show"
}

@test "two at once, a full disk, a kill in the middle: no half a record" {
    thinly
    build ip && build bridge
    "$NLSH" qualify >one 2>&1 & first=$!
    "$NLSH" qualify >two 2>&1  # waits for the first
    wait $first
    cmp one two
    native "ip link show"
    rm -rf record
    for wait in 0.05 0.2 0.5; do
        mkdir -m 755 -p record
        "$NLSH" qualify --quiet & victim=$!
        sleep $wait
        kill -9 $victim 2>/dev/null || true
        wait $victim || true
        "$NLSH" explain "ip link show" >explained || grep -q "which is not known" explained
    done
    "$NLSH" qualify --quiet
    native "ip link show"
    unshare -m bash -c 'mount -t tmpfs -o size=4k,mode=755 none record && ! "$NLSH" qualify 2>failure && grep -q "No space" failure && ! "$NLSH" explain "ip link show" >/dev/null'
}

@test "few processes, threads and files: the whole record or none" {
    thinly
    build ip && build bridge
    local user=61${BASHPID: -3}
    for limit in nproc={1,5,12,24} nofile={8,16,40}; do
        echo "$limit"
        rm -rf limited && mkdir -m 700 limited && chown "$user" limited
        status=0
        env -u NLSH_BUILDS XDG_CACHE_HOME="$PWD/limited" setpriv --reuid "$user" --clear-groups --bounding-set -all \
            timeout "$(seconds 60)" prlimit --"$limit" "$NLSH" qualify >said 2>&1 || status=$?
        cat said
        if [ -e limited/nlsh/qualified ]; then
            [ $status = 0 ]
            [ "$(grep -cE "^(ip|bridge): .* 0 not; .* 0 contradicted" said)" = "$(wc -l <limited/nlsh/qualified)" ]
        else
            [ $status = 1 ]
            grep -q "^nlsh qualify: " said
        fi
        case $limit in nproc=24 | nofile=40) [ "$(wc -l <limited/nlsh/qualified)" = 2 ] ;; esac
    done
}

@test "recordings that are cut off or not there: all falls back" {
    build ip && build bridge
    mkdir copy
    cp "$NLSH" "$(dirname "$NLSH")/nlsh-replay.so" copy
    ! copy/nlsh qualify 2>failure
    grep -q "^nlsh qualify: nlsh-replay.xz: there are no recordings for $PWD/copy/nlsh" failure || { cat failure; false; }
    for size in 0 100 10000 100000; do
        head -c $size "$(dirname "$NLSH")/nlsh-replay.xz" >copy/nlsh-replay.xz
        ! copy/nlsh qualify 2>failure
        grep -qE "no recordings|can't be unpacked|isn't whole" failure
    done
    [ ! -e record/qualified ]
}
