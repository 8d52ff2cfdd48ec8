#!/usr/bin/env bats
# `nlsh serve --audit` records who changed the network. Each test runs in its own network and mount namespaces.

load sanitizer

setup() {
    cd "$BATS_TEST_TMPDIR"
    chmod 700 .
    export NLSH_SOCKET=$PWD/sock
}

# audited SCRIPT SERVE-OPTIONS…: runs SCRIPT in fresh namespaces, with the functions of operator/audit.sh and a server that writes to `audit`.
audited() {
    local script=$1
    shift
    inside 'set -e; . "$ROOT/compat-tests/operator/audit.sh"; audit audit '"$*"$'\n'"$script" -m
    cat out err log
    [ "$status" = 0 ]
}

@test "audit: changes are recorded, with who, what and the verdict; shows aren't" {
    audited 'call "ip link set lo up" "ip link show" "ip link set nosuch up" "ip link add br7 type bridge && ip link add br7 type bridge" "ip link show nosuch" "ip -br link | grep -q nosuch && ip link set lo down" >/dev/null 2>&1
        setpriv --reuid 1000 --clear-groups ip link set lo down 2>/dev/null || true
        settled 4; stop
        # The server records after the reply, so another worker may record the next call first.
        records "sorted((x[\"line\"], x[\"name\"], x[\"uid\"], x[\"status\"]) for x in r)"
        records "sorted((f[\"command\"], f[\"errno\"], f[\"message\"]) for x in r for f in x.get(\"failures\", []))"
        records "len({x[\"pid\"] for x in r}), len({x[\"netns\"] for x in r})"
        stat -c %a audit'
    diff out - <<'END'
[('ip -br link | grep -q nosuch && ip link set lo down', 'lua5.4', 0, 1), ('ip link add br7 type bridge && ip link add br7 type bridge', 'lua5.4', 0, 2), ('ip link set lo up', 'lua5.4', 0, 0), ('ip link set nosuch up', 'lua5.4', 0, 1)]
[('ip link add br7 type bridge', 17, 'RTNETLINK answers: File exists'), ('ip link set nosuch up', 19, 'Cannot find device "nosuch"')]
(1, 1)
600
END
}

@test "audit: off by default" {
    audited 'stop; rm audit
        serve 2>log; "$NLSH" stats --json >json
        call "ip link set lo up"; ! pgrep -P $server -x nlsh-audit; ! grep audit json; kill $server; wait $server; [ ! -e audit ]'
}

@test "audit: hostile lines and names are escaped" {
    printf '\e]0;owned\a\nx' >name
    cp "$(readlink -f "$(command -v lua5.4)")" "$(cat name)"
    cat >hostile.lua <<'EOF'
os.execute("ip link set lo alias '\27[2J\194\155\127\n\"}{\255'")
os.execute("echo '\27[2J' && ip link set lo up")
os.execute("ip link set '\27[2J\255' up")
os.execute("ip link set lo up " .. string.rep("&& ip link set lo up ", 2000))
EOF
    audited 'LD_PRELOAD=$PRELOAD "./$(cat name)" hostile.lua >/dev/null 2>&1; settled 4; stop; records "{x[\"name\"] for x in r}"
        ! LC_ALL=C grep -nP "[^\x20-\x7e]" audit
        records "[(len(x[\"line\"]), x[\"line_bytes\"]) for x in r if \"line_bytes\" in x]"; cut -c 1-300 audit'
    grep -qF '\x1b]0;owned\x07\\nx' out
    grep -qF '\u001b[2J\u009b\u007f\n\"}{\ufffd' out
    grep -qF '[(16384, 42018)]' out
}

@test "audit: a flood is held back, and counted" {
    audited 'call "$(seq -f "ip link set lo mtu 14%02g" -s "; " 0 9)"; for _ in $(seq 12); do echo "ip link set lo up"; done >lines
        mapfile -t lines <lines; call "${lines[@]}" "${lines[@]}"; settled 25; sleep 1.5; call "ip link set lo down"; stop
        records "len(r) + sum(x[\"suppressed\"] for x in g)"; records "10 <= len(r) <= 15 and len(g) >= 1"' --audit-rate 1
    printf '26\nTrue\n' | diff out -
}

@test "audit: a rotated or deleted file is opened anew, without a signal; SIGHUP does no harm" {
    audited 'call "ip link set lo mtu 1401"; settled 1; mv audit audit.1
        call "ip link set lo mtu 1402"; settled 2; rm audit
        kill -HUP $writer; call "ip link set lo mtu 1403"; settled 3; cp audit audit.2; : >audit
        call "ip link set lo mtu 1404"; settled 4; stop
        for file in audit.1 audit.2 audit; do records "[x[\"line\"][-4:] for x in r]" $file; done; stat -c %a audit'
    printf '%s\n' "['1401']" "['1403']" "['1404']" 600 | diff out -
}

@test "audit: no link or FIFO that another user puts in the file's place is followed" {
    mkdir -m 777 open
    audited 'stop
        for kind in "ln -s /etc/shadow" "mkfifo" "mkdir"; do
            rm -rf open/a; $kind open/a; status=0; timeout 5 "$NLSH" serve --audit open/a 2>>said || status=$?; echo $status
        done; "$NLSH" serve --audit nosuch/a 2>>said || echo $?'
    printf '1\n1\n1\n1\n' | diff out -
    grep -q '^nlsh: --audit nosuch/a: No such file or directory$' said
    # Rotation while the server runs: until the next record, the old file stays in use.
    audited 'call "ip link set lo mtu 1401"; settled 1; mv audit kept; ln -s "$PWD/victim" audit; : >victim
        call "ip link set lo mtu 1402"; settled 2; stop; records "len(r)" kept; stat -c %s victim'
    printf '2\n0\n' | diff out -
}

@test "audit: a full disk loses records, says how many, and leaves no torn line" {
    audited 'mkdir small; mount -t tmpfs -o size=16k none small; stop
        audit small/audit
        for i in $(seq 100); do echo "ip link set lo alias $(printf %0100d $i)"; done >lines; mapfile -t lines <lines
        call "${lines[@]}"; settled 100; [ $(stats unwritten) -gt 10 ]; stats suppressed
        head -c 8192 small/audit | head -n 20 >start; : >small/audit
        call "ip link set lo mtu 1401"; settled 101; stop
        records "len(r)" start; records "(len(r), r[-1][\"line\"][-4:])" small/audit
        records "[(x[\"unwritten\"] > 10, x[\"error\"]) for x in g]" small/audit'
    printf '%s\n' 0 20 "(1, '1401')" "[(True, 'No space left on device')]" | diff out -
}

@test "audit: a writer that hangs or is killed delays no caller" {
    audited 'kill -STOP $writer; for i in $(seq 1500); do echo "ip link set lo alias $(printf %0200d $i)"; done >lines; mapfile -t lines <lines
        call "${lines[@]}"; [ $(stats suppressed) -gt 0 ]; kill -CONT $writer; settled 1500; records "len(r) + sum(x[\"suppressed\"] for x in g)"
        kill -KILL $writer; call "ip link set lo mtu 1401"; ip link show lo | grep -o "mtu [0-9]*"; before=$(stats suppressed)
        call "ip link set lo mtu 1402"; ip link show lo | grep -o "mtu [0-9]*"; until [ $(stats suppressed) -gt $before ]; do sleep 0.01; done'
    printf '%s\n' 1500 'mtu 1401' 'mtu 1402' | diff out -
}

@test "audit: records are written even if the server is killed or stopped at once" {
    audited 'for i in $(seq 50); do echo "ip link set lo mtu $((1400 + i))"; done >lines; mapfile -t lines <lines
        kill -STOP $writer; call "${lines[@]}"; sleep 0.1; kill -KILL $server; wait $server || true; kill -TERM $writer; kill -CONT $writer; stop
        records "len(r), r[-1][\"line\"]"'
    printf '%s\n' "(50, 'ip link set lo mtu 1450')" | diff out -
}

@test "audit: the writer keeps only its own socket and file, and no right" {
    audited 'ls -l /proc/$writer/fd | grep -c " -> "; grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/$writer/status | cut -f 2'
    printf '%s\n' 2 0000000000000002 0000000000000002 1 | diff out -
}

@test "audit: journald gets records in its own form, also after its restart" {
    cat >journald.py <<'EOF'
import os, socket, sys
os.makedirs('/run/systemd/journal', exist_ok=True)
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
if os.path.exists('/run/systemd/journal/socket'): os.unlink('/run/systemd/journal/socket')
s.bind('/run/systemd/journal/socket')
open('ready', 'w').close()
for _ in range(int(sys.argv[1])): print(s.recv(1 << 20).decode(), flush=True)
EOF
    audited 'stop; mount -t tmpfs none /run
        timeout 5 "$NLSH" serve --audit journal 2>said && exit 1; cat said
        python3 journald.py 1 & until [ -e ready ]; do sleep 0.01; done; first=$!; rm ready
        audit journal
        call "ip link set lo up"; wait $first
        call "ip link set lo mtu 1401"; until [ $(stats unwritten) = 1 ]; do sleep 0.01; done
        python3 journald.py 2 & until [ -e ready ]; do sleep 0.01; done
        call "ip link set lo down"; wait $!'
    grep -q '^nlsh: --audit journal: No such file or directory$' out
    [ "$(grep -c '^SYSLOG_IDENTIFIER=nlsh-audit$' out)" = 3 ]
    grep -q '^MESSAGE={.*"name":"lua5.4","uid":0,.*"line":"ip link set lo up","status":0}$' out
    grep -q '^MESSAGE={.*"suppressed":0,"unwritten":1,"error":"Connection refused"}$' out
    grep -q '^MESSAGE={.*"line":"ip link set lo down","status":0}$' out
}

@test "audit: stats shows the counters in its three forms" {
    audited 'call "ip link set lo up"; settled 1; "$NLSH" stats | grep audit; "$NLSH" stats --prometheus | grep audit_records; "$NLSH" stats --reset >/dev/null; "$NLSH" stats | grep audit'
    diff out - <<'END'
audit: 1 records written, 0 suppressed, 0 unwritten
# HELP nlsh_audit_records_total Records of changes, by what became of them.
# TYPE nlsh_audit_records_total counter
nlsh_audit_records_total{outcome="written"} 1
nlsh_audit_records_total{outcome="suppressed"} 0
nlsh_audit_records_total{outcome="unwritten"} 0
audit: 0 records written, 0 suppressed, 0 unwritten
END
}
