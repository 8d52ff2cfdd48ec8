#!/usr/bin/env bats
# If no server serves a process that execs ip, bridge or a shell with `-c LINE`, it execs nlsh instead: one exec for a whole line, with the rights
# that the kernel would have given the program. Output, status and network must be the same as without nlsh.

load sanitizer

setup_file() {
    export SHARED
    SHARED=$(mktemp -d)
    chmod 755 "$SHARED"
    cp "$BUILD/nlsh" "$BUILD/libnlsh-preload.so" "$SHARED"
    cat >"$SHARED/lines.py" <<'END'
import subprocess
for line in ("ip link set lo mtu 1404 && ip -o link show lo", "ip link set nosuch up || echo no", "ip link set lo mtu 1; ip -br link show lo",
             "ip link show lo | while read a b; do echo $b; done", "exit 3; ip", "ip link set lo mtu 1405 2>/dev/null; echo $?",
             "ip nonsense; ip -br link show lo", "ip link show lo >/dev/full && ip link set lo mtu 1406; ip -o link show lo"):
    print(subprocess.run(["sh", "-c", line], capture_output=True, stdin=subprocess.DEVNULL))
END
    cat >"$SHARED/tools.py" <<'END'
import os, subprocess, sys
def run(words, file=None, environment=None):
    try:
        done = subprocess.run(words, executable=file, env=environment, capture_output=True, stdin=subprocess.DEVNULL)
        print(words[:6], done.returncode, done.stdout, done.stderr)
    except OSError as error:
        print(words[:6], error)
for words in ("ip link set lo mtu 1404", "ip -o link show lo", "ip link set nosuch up", "/sbin/ip -br link", "ip -V", "ip nonsense", "ip", "ip link help",
              "bridge link", "/usr/sbin/bridge vlan show", "ip xfrm state", "ip link show lo nonsense", "ip netns exec nosuch true", "ip -j -p addr",
              "ip link add br0 address 02:00:00:00:00:01 type bridge", "ip -d link show br0", "ip -force -batch /dev/null", "ip netns exec nosuch ip link",
              "ip route add default encap nonsense", "bridge -d link show dev br0", "ip address add 192.0.2.1/24 dev br0", "ip -4 -o address"):
    run(words.split())
tool = "/usr/sbin/ip"
for words in (["name", "-br", "link"], ["/other/ip", "-br", "link"], ["ip", ""], ["ip", "-br", "link", "show", "l o"], ["ip", "link", "set", "lo", "alias", "x y\nz"]):
    run(words, tool)
for words in (["ip", "link", "x" * 140000], ["ip"] + ["x"] * 300000):
    run(words, tool)
for name in ("HZ", "PROC_ROOT", "IP_LIB_DIR", "LD_DEBUG", "NO_COLOR", "LANG"):
    run(["ip", "-br", "link", "show", "dev", "lo", "type", "bridge"], tool, {**os.environ, name: "x"})
run(["ip", "-o", "link", "show", "lo"], tool, {})
END
    cat >"$SHARED/shells.py" <<'END'
import subprocess
lines = ("ip link set lo mtu 1404 && ip -o link show lo", "ip link set nosuch up || echo no", "ip link show lo | while read a b; do echo $b; done", "exit 3; ip",
         "ip link set lo mtu 1405 2>/dev/null; echo $?", "ip nonsense; ip -br link show lo", "ip link show lo; nosuch", "ip link show lo >/nosuch/x",
         "echo $0; ip link show lo", "ip -o link show 'lo", "exec ip -o link show lo", "ip link show nosuch", "x=lo; ip -o link show $x; [[ -n $x ]]; echo $?")
for shell in ("/bin/sh", "/usr/bin/sh", "/bin/bash", "/usr/bin/bash", "/bin/dash", "bash", "dash", "sh"):
    for line in lines:
        print(subprocess.run([shell, "-c", line], capture_output=True, stdin=subprocess.DEVNULL))
for line in lines:
    print(subprocess.run(line, shell=True, capture_output=True))
for words, file in ((["name", "-c", lines[6]], "/bin/bash"), (["sh", "-c", lines[6]], "/bin/bash"), (["bash", "-c", lines[6]], "/bin/sh"), (["sh", "-ec", lines[0]], "/bin/sh")):
    print(subprocess.run(words, executable=file, capture_output=True))
END
    cat >"$SHARED/makefile" <<'END'
all:
	@ip link set lo mtu 1407
	@ip -br link show lo | tr -s ' '; ip link set nosuch up || echo $$?
	@echo $(shell ip -br link show lo | cut -c1-9)
	@ip link set nosuch up
END
}

teardown_file() {
    rm -rf "$SHARED" /dev/shm/nlsh-65533
}

# equal COMMAND…: must print the same with the preload and without it. Any user may write the trace. Deletes the notes that earlier lines left in
# /dev/shm.
equal() {
    : >"$SHARED/trace"
    rm -f /dev/shm/nlsh-0 /dev/shm/nlsh-1000
    chmod 666 "$SHARED/trace"
    TRACE=$SHARED/trace twin LD_PRELOAD="$SHARED/libnlsh-preload.so" NLSH_TRACE="$SHARED/trace" NLSH_SOCKET="$SHARED/none" -- "$@"
}

spawned() {
    grep -cP "^(exec|spawn)\tnative\t.*\tspawned: " "$SHARED/trace"
}

@test "without a server, as root" {
    equal /usr/bin/python3 "$SHARED/lines.py"
    [ "$(spawned)" -ge 5 ]
}

@test "as another user, and with few capabilities" {
    equal setpriv --reuid 1000 --regid 1000 --clear-groups /usr/bin/python3 "$SHARED/lines.py"
    [ "$(spawned)" -ge 5 ]
    equal setpriv --bounding-set -sys_module,-sys_admin --no-new-privs /usr/bin/python3 "$SHARED/lines.py"
    [ "$(spawned)" -ge 5 ]
}

@test "a program that others may write, or that isn't there, is left alone" {
    chmod 775 "$SHARED/nlsh"
    equal /usr/bin/python3 "$SHARED/lines.py"
    [ "$(spawned)" = 0 ] || false
    chmod 644 "$SHARED/nlsh"
    equal /usr/bin/python3 "$SHARED/lines.py"
    [ "$(spawned)" = 0 ] || false
    mv "$SHARED/nlsh" "$SHARED/other"
    equal /usr/bin/python3 "$SHARED/lines.py"
    mv "$SHARED/other" "$SHARED/nlsh"
    chmod 755 "$SHARED/nlsh"
    [ "$(spawned)" = 0 ]
}

@test "closed standard descriptors, signals that are ignored, a shell with another name" {
    equal bash -c 'for closed in "<&-" ">&-" "2>&-" "<&- >&- 2>&-"; do
        eval "sh -c \"ip -o link show lo; ip link set nosuch up\" $closed"; echo $?
    done 2>&1
    (trap "" PIPE TERM; sh -c "ip -br link show lo; ip link set lo mtu 1407"; echo $?)
    (exec -a name sh -c "ip -br link show lo; nonsense"); dash -c "ip -br link show lo; nonsense"; sh -c "ip link set nosuch up; nonsense ip"; true'
}

@test "a show after a change, which a server leaves to a process that may wait" {
    serve "$SHARED/none" 2>/dev/null
    equal bash -c 'env sh -c "ip link set lo mtu 1404; ip -br link show lo" | cat'
    end_server || true
    grep -q $'^exec\tnative.*spawned: its output would have to wait' "$SHARED/trace"
}

@test "lines that a server leaves to the caller's own process" {
    serve "$SHARED/none" 2>/dev/null
    equal bash -c "cd $SHARED"'
        for line in "ip link set lo netns 999999999" "ip link show lo >out; ip -br link show lo" "echo a >out; ip -br link show lo >>out" "ip netns pids nosuch"; do
            : >out
            lua5.4 -e "print(os.execute(arg[1])); print(io.popen(arg[1]):read(\"a\"))" "" "$line" 2>&1; cat out
            sh -c "$line"; echo $?; cat out; true
        done'
    end_server || true
    [ "$(grep -cP "^(system|popen|exec)\tnative\t.*\tspawned: (redirection to out|link set: in the caller.s own process only|netns pids: )" "$SHARED/trace")" -ge 10 ]
}

@test "ip and bridge themselves" {
    equal /usr/bin/python3 "$SHARED/tools.py"
    [ "$(spawned)" -ge 18 ]
    equal setpriv --reuid 1000 --regid 1000 --clear-groups /usr/bin/python3 "$SHARED/tools.py"
    [ "$(spawned)" -ge 18 ]
    equal setpriv --bounding-set -net_admin --no-new-privs /usr/bin/python3 "$SHARED/tools.py"
    [ "$(spawned)" -ge 18 ]
}

@test "shells by other names, Python's shell=True, make" {
    equal /usr/bin/python3 "$SHARED/shells.py"
    [ "$(spawned)" -ge 80 ]
    equal sh -c "make -s -f $SHARED/makefile; echo \$?"
    [ "$(spawned)" = 4 ]
}

@test "an ip by another path, of another build, that can't be executed, or that isn't there" {
    local change
    printf '#!/bin/sh\necho "a script: $0 $*"; exit 7\n' >"$SHARED/script"
    chmod 755 "$SHARED/script"
    cp /usr/sbin/ip "$SHARED/ip"
    equal "$SHARED/ip" -o link show lo
    equal /usr/bin/python3 -c 'import subprocess, sys; print(subprocess.run([sys.argv[1], "-o", "link", "show", "lo"], capture_output=True))' "$SHARED/ip"
    [ "$(spawned)" = 0 ]
    for change in "mount --bind $SHARED/script /usr/sbin/ip" "mount --bind /usr/bin/true /usr/sbin/ip" "mount -t tmpfs tmpfs /usr/sbin" \
        "chmod 644 $SHARED/ip; mount --bind $SHARED/ip /usr/sbin/ip" "chmod 755 $SHARED/ip; mount --bind $SHARED/ip /usr/sbin/ip; mount -o remount,bind,noexec /usr/sbin/ip" \
        "mount --bind $BUILD/nlsh /usr/sbin/ip"; do
        # Here the shim has moved the real ip.
        equal unshare -m sh -c "$change; exec /usr/bin/python3 - <<'END'
import subprocess
for words in (['/usr/sbin/ip', '-br', 'link'], ['ip', '-br', 'link'], ['sh', '-c', 'ip -br link; echo \$?']):
    try:
        print(subprocess.run(words, capture_output=True, env={'PATH': '/usr/sbin:/usr/bin', 'NLSH_REAL_IP': '$SHARED/ip'}))
    except OSError as error:
        print(words, error)
END"
    done
}

@test "a line that fell back once execs the program at once; notes in another user's file are ignored" {
    local program='import subprocess
for i in range(4): print(subprocess.run(["ip", "link", "show", "lo", "up", "scope", "%d" % i], capture_output=True, env={**__import__("os").environ}))
for i in range(4): print(subprocess.run(["sh", "-c", "ip link show dev lo; nosuch%d" % i], capture_output=True))
for i in range(4): print(subprocess.run(["ip", "netns", "exec", "nosuch%d" % i, "ip", "link"], capture_output=True))'
    local as=(setpriv --reuid 65533 --regid 65533 --clear-groups /usr/bin/python3 -c "$program")
    fallbacks() {
        grep -cP "^exec\tfallback\t.*spawned: " "$SHARED/trace"
    }
    rm -f /dev/shm/nlsh-65533
    equal "${as[@]}"
    [ "$(fallbacks)" -le 3 ]
    [ "$(stat -c '%u %a' /dev/shm/nlsh-65533)" = "65533 600" ]
    equal "${as[@]}"
    [ "$(fallbacks)" = 0 ] || false
    # nlsh neither reads nor writes a note unless it is a file of the user that nobody else may write.
    local file=/dev/shm/nlsh-65533 made sum
    cp -p "$file" "$SHARED/kept"
    sum=$(sha256sum <"$SHARED/kept")
    for made in 'chown 0 $file; chmod 644 $file' 'chmod 622 $file' 'rm $file; ln -s $SHARED/kept $file' 'rm $file; mkfifo -m 666 $file' \
        'rm $file; mkdir $file'; do
        rm -rf "$file"
        cp -p "$SHARED/kept" "$file"
        eval "$made"
        equal "${as[@]}"
        [ "$(fallbacks)" -ge 5 ]
        [ "$(sha256sum <"$SHARED/kept")" = "$sum" ]
    done
    rm -rf "$file"
}
