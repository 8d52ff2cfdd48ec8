#!/usr/bin/env bats
# An unknown build of iproute2 in use: who qualifies it and when, what the record says, and the second looks at its shows.

bats_require_minimum_version 1.5.0
load sanitizer
load qualify

# until_qualified [FILE]: a background qualification has ended well.
until_qualified() {
    local left=$(($(seconds 120) * 10))
    until [ -e "${1:-record/qualified}" ]; do
        left=$((left - 1))
        [ $left -gt 0 ] || { ls -la record; cat record/tried; return 1; }
        sleep 0.1
    done
}

# background: the processes that qualify this test's builds, without their own children, which are nlsh until they exec.
background() {
    local each
    for each in $(pgrep -x nlsh); do
        is_background "$each" && ! is_background "$(ps -o ppid= "$each" | tr -d ' ')" && echo "$each"
    done || true
}

is_background() { # PID
    grep -qz '^--if-needed$' "/proc/$1/cmdline" 2>/dev/null && grep -qz "^NLSH_BUILDS=$NLSH_BUILDS$" "/proc/$1/environ" 2>/dev/null
}

end_background() {
    local each
    for each in $(background); do kill -9 "$each"; done
    while [ -n "$(background)" ]; do sleep 0.05; done
}

# tried: how many attempts are noted.
tried() {
    cut -d' ' -f2 record/tried
}

@test "first use: of a hundred lines at once one qualifies in the background; they fall back, later ones are native" {
    build ip && build bridge
    unshare -n ip link show >real
    # The qualification waits for its recordings until it has been looked at.
    mkdir -m 755 waiting
    mkfifo -m 644 waiting/nlsh-replay.xz
    cp "$NLSH" "$(dirname "$NLSH")/nlsh-replay.so" waiting
    recordings=$(dirname "$NLSH")/nlsh-replay.xz NLSH=$PWD/waiting/nlsh
    for i in $(seq 100); do unshare -n "$NLSH" -q -c "ip link show" >"said.$i" & done
    background >seen
    until [ -s seen ]; do background >seen; done
    wait $(jobs -p)
    background >>seen
    [ "$(sort -u seen | wc -l)" = 1 ]
    timeout 60 cat "$recordings" >waiting/nlsh-replay.xz
    [ -e record/qualified ] || [ "$(tried)" = 1 ]
    for i in $(seq 100); do cmp real "said.$i"; done
    until_qualified
    [ ! -e record/tried ] || sleep 1
    [ ! -e record/tried ]
    native "ip link show"
    NLSH_TRACE=$PWD/trace unshare -n "$NLSH" -q -c "ip link show" | cmp real
    grep -q native trace
    sleep 0.2
    [ -z "$(background)" ]
}

@test "first use: the background process has nothing of its caller, and is nobody's child" {
    build bridge
    printf '%s\n' '#include <errno.h>' '#include <stdio.h>' '#include <string.h>' '#include <sys/wait.h>' 'int main(void) {' \
        'char line[256]; FILE *status = fopen("/proc/self/status", "r");' \
        'while (fgets(line, sizeof line, status)) if (!strncmp(line, "SigPnd", 6) || !strncmp(line, "ShdPnd", 6)) fputs(line, stdout);' \
        'int child = waitpid(-1, NULL, __WALL); printf("%d %s\n", child, strerror(errno)); return 0; }' >ip.c
    gcc -o tools/ip ip.c
    mkdir shim
    ln -s "$NLSH" shim/ip
    export NLSH_REAL_IP=$PWD/tools/ip
    said=$(timeout 5 env --block-signal=CHLD shim/ip link show 7<ip.c | cat)  # a pipe that ends at once
    echo "$said"
    [ "$said" = "$(tools/ip)" ]
    grep -q '0000000000000000' <<<"$said"
    grep -q -- '-1 No child' <<<"$said"
    [ "$(tried)" = 1 ]
    end_background
    rm tools/ip
    build ip
    for caller in 'env --ignore-signal=CHLD' 'bash -c "exec 0<&-; exec \"\$@\"" -' 'prlimit --cpu=1:60 --nofile=64:1024 --as=300000000:unlimited' \
        'env -i NLSH_BUILDS='"$NLSH_BUILDS NLSH_REAL_IP=$NLSH_REAL_IP NLSH_REAL_BRIDGE=$NLSH_REAL_BRIDGE" 'timeout -s KILL 1'; do
        echo "$caller"
        rm -rf record
        mkdir -m 755 record
        eval "timeout 10 unshare -n $caller \"$NLSH\" -q -c 'ip link show lo'" 7<ip.c >/dev/null || true
        # It is niced before its exec, so it may come later than its caller's end.
        process=
        while [ -z "$process" ] && [ ! -e record/qualified ]; do process=$(background); done
        [ "$process" -gt 0 ]
        [ "$(ps -o sid= "$process" | tr -d ' ')" = "$process" ]
        [ "$(ps -o ni= "$process" | tr -d ' ')" = 19 ]
        ! ls -l "/proc/$process/fd" | grep -E 'ip\.c|pipe:.*[012] ->'
        grep -q '^SigIgn:.*0000000000000000' "/proc/$process/status"
        until_qualified
    done
}

@test "first use: in a container whose first process is the caller, nothing is left to it" {
    thinly
    build ip && build bridge
    cat >first.py <<'END'
import os, subprocess, sys, time
subprocess.run([os.environ["NLSH"], "-q", "-c", "ip link show lo"], stdout=subprocess.DEVNULL)
time.sleep(0.5)
try:
    sys.exit(f"a child: {os.waitpid(-1, os.WNOHANG)}")
except ChildProcessError:
    pass
END
    unshare -npf --mount-proc python3 first.py
    [ ! -e record/tried ]
    unshare -npf --mount-proc bash -c '"$NLSH" -q -c "ip link show lo" >/dev/null; while [ ! -e record/qualified ]; do sleep 0.1; done'
}

@test "first use: what hangs, isn't iproute2 or is killed is tried again later, and later each time" {
    thinly
    build bridge
    program 'for (;;) pause();'
    for number in 1 2 3; do
        "$NLSH" explain "bridge link" >/dev/null || true
        unshare -n "$NLSH" -q -c "bridge link" >/dev/null
        unshare -n "$NLSH" -q -c "bridge link" >/dev/null
        [ "$(tried)" = $number ]
        end_background
        unshare -n "$NLSH" -q -c "bridge link" >/dev/null
        [ "$(tried)" = $number ]
        [ -z "$(background)" ]
        # As if it had been a while ago: 1, 2, 4 minutes are enough.
        read -r builds count last <record/tried
        echo "$builds $count $((last - 60 * (1 << (number - 1)) + 50))" >record/tried
        unshare -n "$NLSH" -q -c "bridge link" >/dev/null
        [ -z "$(background)" ]
        echo "$builds $count $((last - 60 * (1 << (number - 1))))" >record/tried
    done
    rm tools/ip  # which may still end
    build ip  # other builds: at once
    unshare -n "$NLSH" -q -c "ip link show" >/dev/null
    [ "$(tried)" = 1 ]
    until_qualified
    native "ip link show"
}

@test "first use: nowhere to keep a record, a full disk, a folder that others may write: nothing is started" {
    thinly
    build ip && build bridge
    unshare -mn bash -ec 'mount -t tmpfs -o ro none record; "$NLSH" -q -c "ip link show lo" >/dev/null; "$NLSH" qualify 2>failure && exit 1; grep "record: Read-only" failure'
    [ -z "$(background)" ]
    unshare -mn bash -ec 'mount -t tmpfs -o size=4k,mode=755 none record; head -c 4096 /dev/zero >record/full || true; "$NLSH" -q -c "ip link show lo" >/dev/null; "$NLSH" -q -c "ip link show lo" >/dev/null; [ ! -s record/tried ]'
    [ -z "$(background)" ]
    chmod 777 record
    unshare -n "$NLSH" -q -c "ip link show lo" >/dev/null
    "$NLSH" qualify 2>failure && false
    grep "others may write there" failure
    [ -z "$(background)" ] && [ -z "$(ls record)" ]
    # /var/lib can't be written, /run can.
    unshare -mn bash -ec 'unset NLSH_BUILDS; mount -t tmpfs -o ro none /var/lib; mount -t tmpfs -o mode=755 none /run; "$NLSH" qualify -q; ls /run/nlsh/qualified; "$NLSH" explain "ip link show"; umount /var/lib'
}

@test "first use by a user: in the user's cache, for that user alone; not below a folder that others may write" {
    thinly
    build ip && build bridge
    chmod 755 "$NLSH"
    mkdir -m 755 home && chown nobody home
    as_user() { HOME=$PWD/home setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
    as_user "$NLSH" -q -c "ip link show lo" >/dev/null
    until_qualified home/.cache/nlsh/qualified
    [ "$(stat -c %U home/.cache/nlsh/qualified)" = nobody ]
    as_user "$NLSH" explain "ip link show" >/dev/null
    fallback "ip link show" ""
    HOME=$PWD/home fallback "ip link show" ""
    chmod 777 home/.cache
    ! as_user "$NLSH" explain "ip link show" >/dev/null
    chmod 755 home/.cache
    mv home/.cache/nlsh home/.cache/other && ln -s other home/.cache/nlsh
    ! as_user "$NLSH" explain "ip link show" >/dev/null
}

@test "first use: a server qualifies an unknown build when it starts and takes the record without a restart" {
    thinly
    build ip 'numtxqueues %u ' 'NUMTXQUEUES %u '
    build bridge
    cat >calls.lua <<'END'
for _ = 1, 1200 do
    os.execute("ip link show >/dev/null")
    local trace = io.open("trace"):read("a")
    if trace:find("native") then os.exit(0) end
    os.execute("sleep 0.1")
end
os.exit(1)
END
    inside 'serve "$PWD/sock" --log off; trap end_server EXIT
        NLSH_TRACE=$PWD/trace preloaded lua5.4 calls.lua'
    cat err
    [ "$status" = 0 ]
    [ -s record/qualified ]
}

@test "ended while it qualifies: kill -9, and no half a record; records of other builds stay" {
    build ip && build bridge
    "$NLSH" qualify --quiet
    cp -rp tools kept
    printf x >>tools/ip
    unshare -n "$NLSH" -q -c "ip link show lo" >/dev/null
    sleep 1
    end_background
    fallback "ip link show" ""
    "$NLSH" qualify --quiet
    native "ip link show"
    [ "$(grep -c '^ip ' record/qualified)" = 2 ]
    NLSH_REAL_IP=$PWD/kept/ip PATH=$PWD/kept:$PATH native "ip link show"
    ! ls record | grep -E '\.[0-9]+$'
}

@test "a record doesn't depend on the machine's devices and modules; doctor shows its age, its file and what falls back" {
    thinly
    build ip 'numtxqueues %u ' 'NUMTXQUEUES %u ' && build bridge
    "$NLSH" doctor | grep -E 'ip .*nothing has qualified it'
    unshare -n "$NLSH" qualify --quiet
    cp record/qualified plain
    unshare -n bash -ec 'ip link add odd type ip6tnl mode any || ip link add odd type dummy || ip link add odd type veth; ip link set lo up; "$NLSH" qualify --quiet'
    diff <(grep "^ip " record/qualified) <(grep "^ip " plain)  # requests of bridge vni have bytes that nobody has set
    touch -d '-3 days' record/qualified
    "$NLSH" doctor >out || true
    grep -E "^warning +ip .*qualified by recordings 3 days ago \($PWD/record/qualified\); left to it: ip " out
    rm record/*
    echo 'a bad record' >record/qualified  # is replaced
    unshare -n "$NLSH" -q -c "ip link show" >/dev/null
    until [ "$(head -c 3 record/qualified)" = "ip " ]; do sleep 0.1; done
    native "ip link show"
    rm record/*
    program 'if (getenv("LD_PRELOAD")) for (;;) pause(); return 1;'
    unshare -n "$NLSH" -q -c "ip link show" >/dev/null & 
    until [ -s record/tried ]; do sleep 0.1; done
    end_background
    kill $! || true
    "$NLSH" doctor >out || true
    grep -E "^failed +ip .*qualified 1 times in vain" out
}

# turned: the program changes, and what tells builds apart doesn't, as if a qualification had missed a difference.
turned() {
    touch -r tools/ip before
    sed -i 's/LOOPBACK/LOOPBAKE/' tools/ip
    touch -r before tools/ip
}

@test "a second look: what differs from the real program goes out of use, in all processes" {
    thinly
    build ip && build bridge
    "$NLSH" qualify --quiet
    turned
    native "ip -o link show"
    [[ $(unshare -n "$NLSH" -q -c "ip -o link show lo") = *LOOPBACK* ]]  # nothing has looked yet
    NLSH_VERIFY=1 NLSH_VERIFY_LOG=$PWD/differences unshare -n "$NLSH" -q -c "ip -o link show lo" >out
    grep -q LOOPBAKE out
    grep -q '"line":"ip -o link show lo","numbers_only":false' differences
    fallback "ip -o link show" "its output has differed from this iproute2's: ip link show| -o"
    native "ip link show" && native "ip -d link show"
    "$NLSH" doctor >doctor || true
    grep -E 'ip .*left to it: ip link show\| -o' doctor
    NLSH_VERIFY=1 unshare -n "$NLSH" -q -c "ip link show lo; ip -d link show lo" >out  # two of one proof
    fallback "ip link show" "has differed" && fallback "ip -d link show" "has differed"
    fallback "ip -o link show" "has differed" && native "ip -s link show"
    "$NLSH" qualify --quiet  # forgets it, and finds it itself
    fallback "ip -o link show" "isn't proven"
}

@test "second looks at the same time lose nothing of each other" {
    thinly
    build ip && build bridge
    "$NLSH" qualify --quiet
    turned
    # All have read their lines by the same proof before the first of them may write.
    exec 9>>record/lock
    flock 9
    looks=()
    for mode in "" -o -d -s; do
        NLSH_VERIFY=1 unshare -n "$NLSH" -q -c "ip $mode link show lo" >/dev/null 9>&- & looks+=($!)
    done
    for each in "${looks[@]}"; do
        until ls -l "/proc/$each/fd" | grep -q record/lock; do sleep 0.01; done
    done
    exec 9>&-
    wait "${looks[@]}"
    for mode in "" -o -d -s; do
        fallback "ip $mode link show" "its output has differed"
    done
}

# shows.lua: two thousand shows, each of which is LOOPBACK until one is looked at again, and LOOPBAKE from then on.
write_shows() {
    cat >shows.lua <<'EOF'
for i = 1, 2000 do
    local shown = io.popen("ip -o link show lo"):read("a")
    print(shown:match("LOOPBA.."))
end
EOF
}

@test "a second look by the server: a thousandth of the shows, if nobody says a share" {
    thinly
    build ip && build bridge
    "$NLSH" qualify --quiet
    turned
    write_shows
    inside 'serve "$PWD/sock" --log warning 2>log; trap end_server EXIT
        LD_PRELOAD=$PRELOAD NLSH_TRACE=$PWD/trace lua5.4 shows.lua >shows; "$NLSH" stats >stats'
    uniq -c shows | sed 's/^/# /' >&3
    [ "$(uniq shows | tr "\n" " ")" = "LOOPBACK LOOPBAKE " ]
    [ "$(grep -c LOOPBACK shows)" -le 1000 ]
    grep -q "1 verified, 1 different" stats || { cat stats; false; }
    grep -q 'verify: DIFFERENT: `ip -o link show lo`' log
    grep -q 'has differed from this iproute2' trace
    # A build that is known has no second look.
    unset NLSH_REAL_IP NLSH_REAL_BRIDGE
    PATH=${PATH#*:} inside 'serve "$PWD/sock" 2>log; trap end_server EXIT
        LD_PRELOAD=$PRELOAD lua5.4 shows.lua | uniq -c; "$NLSH" stats >stats'
    ! grep -q verified stats
}

@test "a second look by the engine in a program: a spawned nlsh looks, and the engine obeys what it or another has found" {
    thinly
    build ip && build bridge
    "$NLSH" qualify --quiet
    turned
    write_shows
    program=(unshare -n env LD_PRELOAD="$PRELOAD" NLSH_ENGINE=inproc NLSH_PROGRAM="$NLSH" NLSH_TRACE="$PWD/trace" lua5.4)
    cp -rp record qualified
    NLSH_VERIFY=0 "${program[@]}" shows.lua | uniq -c >shows
    grep -qx ' *2000 LOOPBACK' shows
    [ "$(grep -c inproc trace)" = 2000 ]
    "${program[@]}" shows.lua >shows
    uniq -c shows | sed 's/^/# /' >&3
    [ "$(uniq shows | tr "\n" " ")" = "LOOPBACK LOOPBAKE " ]
    [ "$(grep -c LOOPBACK shows)" -le 1000 ]
    fallback "ip -o link show" "its output has differed"
    # What another process has found, while the program runs.
    rm -r record && mv qualified record
    printf '"%s" -q -c "ip -o link show lo" >/dev/null\n' "$NLSH" >other.sh
    sed -i 's/^for .*/&\n    if i == 1000 then os.execute("NLSH_VERIFY=1 sh other.sh") end/' shows.lua
    NLSH_VERIFY=0 "${program[@]}" shows.lua | uniq -c >shows
    cat shows
    [ "$(tr -s ' \n' ' ' <shows)" = " 999 LOOPBACK 1001 LOOPBAKE " ]
}
