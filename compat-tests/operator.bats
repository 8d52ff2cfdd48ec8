#!/usr/bin/env bats
# The operator's tools: statistics, the log, the kill switch. Each test runs in its own network namespace.

load sanitizer

setup() {
    cd "$BATS_TEST_TMPDIR"
    chmod 700 .
    export NLSH_SOCKET=$PWD/sock
}

# The beginning of a script: starts a server with options.
serving() { # OPTIONS…
    echo 'serve "" '"$*"' 2>log; trap end_server EXIT; '
}

@test "stats: commands, fallbacks with reasons, errors, programs" {
    inside -0 "$(serving)"'
        call "ip link set lo up" "ip link set lo up" "ip link add br7 type bridge && ip link add br7 type bridge" "ip xfrm state" "ip link show nosuch" 2>/dev/null
        "$NLSH" stats; "$NLSH" stats --json >json; "$NLSH" stats --prometheus >prometheus'
    # A fallback counts twice: its shell asks again before it execs ip.
    grep -q '6 lines: 4 native (66.7%, 2 of them failed), 2 fell back' out
    python3 - <<'EOF'
import json
stats = json.load(open('json'))
assert stats['lines'] == {'native': 4, 'fallback': 2, 'failed': 2}, stats['lines']
commands = {entry['name']: entry['count'] for entry in stats['commands']}
assert commands == {'ip link set': 2, 'ip link add': 2, 'ip link show': 1}, commands
assert stats['errors'][0]['name'] in ('EEXIST', 'ENODEV'), stats['errors']
assert 'EEXIST' in [error['name'] for error in stats['errors']], stats['errors']
assert [(program['name'], program['lines']) for program in stats['programs']] == [('lua5.4', 5), ('sh', 1)], stats['programs']
latency = stats['latency']
assert latency['count'] == 4 and 0 < latency['p50_us'] <= latency['max_us'] < 1e6, latency
EOF
    grep -q '^nlsh_lines_total{way="native"} 4$' prometheus
    grep -Eq '^nlsh_build_info\{version="[0-9.]+",iproute2="'"$(ip -V | sed 's/.*iproute2-\([0-9.]*\).*/\1/')"'"\} 1$' prometheus
    grep -q '^nlsh_program_lines_total{program="lua5.4"} 5$' prometheus
    ! grep -q 'pid=\|cookie=' prometheus
    grep -q '^nlsh_errors_total{errno="EEXIST"} 1$' prometheus
    grep -q '^nlsh_line_duration_seconds_count 4$' prometheus
    PYTHONPATH=$ROOT/build/clients/usr/lib/python3/dist-packages python3 "$ROOT/compat-tests/operator/check_prometheus.py" nlsh_lines_total \
        nlsh_commands_total nlsh_fallbacks_total nlsh_errors_total nlsh_line_duration_seconds nlsh_uptime_seconds <prometheus
}

@test "stats and top without a server say so" {
    inside -1 '"$NLSH" stats'
    grep -q 'no server' err
    inside -1 '"$NLSH" top -n 1'
}

@test "top: what happened in each interval" {
    inside -0 "$(serving)"'
        call "ip link set lo up"; (sleep 1; call "ip link set lo up" "ip link set lo down") &
        "$NLSH" top -d 4 -n 1; wait $!'
    grep -q '2 lines: 2 native' out
    grep -Eq '^the last [0-9.]+ s of [0-9.]+ s up, ' out
}

@test "stats --reset sets the counters to 0" {
    inside "$(serving)"'call "ip link set lo up" "ip xfrm state"; "$NLSH" stats --reset; call "ip link set lo up"; "$NLSH" stats; "$NLSH" stats --prometheus >prometheus'
    [ "$(grep -c '3 lines: 1 native' out)" = 1 ]
    [ "$(grep -c '1 lines: 1 native (100.0%, 0 of them failed), 0 fell back' out)" = 1 ]
    grep -q '^nlsh_lines_total{way="fallback"} 0$' prometheus
}

@test "300 processes of one program make one Prometheus series" {
    inside "$(serving)"'for _ in $(seq 300); do call "ip link set lo up"; done; "$NLSH" stats --prometheus >prometheus'
    grep -q '^nlsh_program_lines_total{program="lua5.4"} 300$' prometheus
    [ "$(grep -c '^nlsh_program_lines_total' prometheus)" = 1 ]
}

@test "log: a chain that failed, with the command, errno and extack" {
    inside "$(serving)"'call "ip link set lo up && ip link add br7 type bridge && ip link add br7 type bridge" "ip route add 192.0.2.0/24 via 198.51.100.1 && true" "ip link set nosuch up"'
    cat log
    grep -Eq '^20[-0-9T:.]+Z nlsh: warning: lua5.4\[[0-9]+\]: a chain failed with status 2: command 3 of 3, `ip link add br7 type bridge`, status 2, EEXIST, ' log
    grep -Eq 'command 1 of 2, `ip route add .*, ENETUNREACH, extack "Nexthop has invalid gateway", ' log
    [ "$(wc -l <log)" = 2 ] # a failing single line is logged as information only
    inside "$(serving --log info)"'call "ip link set nosuch up"'
    grep -Eq '^20[-0-9T:.]+Z nlsh: info: lua5.4\[[0-9]+\]: a line failed with status 1: `ip link set nosuch up`, status 1, ENODEV' log
    inside "$(serving --log off)"'call "ip link add br7 type bridge && ip link add br7 type bridge"'
    [ ! -s log ]
}

@test "log: a grep that finds nothing isn't a failure, and repeated failures are counted" {
    inside "$(serving)"'call "ip link show | grep -o Loopback[^:]*" "[ -e /nosuch ] && ip link set lo up"; for i in 1 2 3; do call "ip link set lo up && ip link set nosuch up"; done'
    cat log
    [ "$(wc -l <log)" = 2 ]
    [ "$(grep -c 'nlsh: warning: lua5.4\[[0-9]*\]: a chain failed with status 1: command 2 of 2, `ip link set nosuch up`' log)" = 1 ]
    grep -Eq 'nlsh: warning: 2 times more in [0-9]+ s: lua5.4' log
}

@test "the kill switch stops a running daemon's next call; without it the next call is native again" {
    cat >daemon.lua <<'EOF'
local function call() os.execute("ip link set lo up") end
local function switched()
    io.open(arg[1] .. "/disable", "w"):close()
    call()
    os.remove(arg[1] .. "/disable")
    call()
end
call() call() switched()
for i = 1, 20 do call() end switched() -- in process the switch is watched by now
os.rename(arg[1] .. "/link", arg[1] .. "/disable") call() -- to nothing: there is no such file
io.open(arg[1] .. "/nothing", "w"):close() call()
EOF
    native=$'native\t' off=$'fallback\tthe kill switch is on'
    for engine in server inproc; do
        rm -f trace disable nothing
        ln -s nothing link
        inside "$(serving)"'NLSH_EXEC=0 NLSH_ENGINE='$engine' NLSH_TRACE=$PWD/trace LD_PRELOAD=$PRELOAD lua5.4 daemon.lua "$PWD"'
        grep '	ip link set lo up	' trace | cut -f 2,6 >calls
        { printf '%s\n' "$native" "$native" "$off"; yes "$native" | head -n 21; printf '%s\n' "$off" "$native" "$native" "$off"; } | diff calls -
    done
    rm disable
    # In a script, and in a batch that gets its lines one by one.
    printf '%s\n' 'ip link set lo up' 'echo >disable' 'ip link set lo up' 'rm disable' 'ip link set lo up' >script
    inside 'NLSH_TRACE=$PWD/trace3 "$NLSH" script'
    grep '	ip link set lo up	' trace3 | cut -f 2,6 >calls
    printf '%s\n' 'native	' 'fallback	the kill switch is on' 'native	' | diff calls -
    inside -0 'mkfifo lines; ln -s "$NLSH" ip; NLSH_TRACE=$PWD/trace4 ./ip -batch - <lines & exec 3>lines
        echo "link add br0 type bridge" >&3; until ip link show br0 2>/dev/null; do sleep 0.01; done
        touch disable; echo "link add br1 type bridge" >&3; exec 3>&-; wait; ip link show br1; rm disable ip'
    grep -q 'fallback.*the kill switch is on' trace4
    touch disable
    inside 'NLSH_TRACE=$PWD/trace2 "$NLSH" -c "ip link show lo"; ln -s "$NLSH" ip; NLSH_TRACE=$PWD/trace2 ./ip link show lo'
    [ "$(cut -f 2 trace2)" = $'fallback' ]
    [ "$(wc -l <out)" = 4 ]
}

@test "serve --decline-all" {
    inside "$(serving --decline-all)"'export NLSH_TRACE=$PWD/trace; call "ip link set lo up"; "$NLSH" stats'
    grep -q 'fallback.*the server declines all' trace
    grep -q '2  the server declines all' out # the line, and its shell before the exec of ip
}

@test "explain FILE: which of a daemon's lines are native, with a total" {
    printf '%s\n' '# a comment' 'ip link show lo' 'ip xfrm state' 'ip link show lo' '#: "ip link\nip addr"' >lines
    status=0
    "$NLSH" explain lines >out || status=$?
    [ "$status" = 1 ]
    grep -q '^native: 3 of 4 lines (75.0%), 2 of 3 different ones$' out
    grep -q '^fallback      1  ip xfrm state$' out
    "$NLSH" explain --json - <lines >json || true
    python3 -c 'import json; d = json.load(open("json")); assert (d["total"], d["native"]) == (4, 3), d; assert d["lines"][0]["count"] == 2; assert d["lines"][2]["line"] == "ip link\nip addr"'
    grep -v xfrm lines >native
    "$NLSH" explain native
    # A check for CI: a threshold, allowed fallbacks, and line numbers.
    "$NLSH" explain lines --min 75 >/dev/null
    run -1 "$NLSH" explain lines --min 76
    echo 'ip xfrm *' >allowed
    "$NLSH" explain lines --allow allowed | grep -q '^allowed .*ip xfrm state$'
    python3 -c 'import json; d = json.load(open("json")); assert [l["numbers"] for l in d["lines"]] == [[2, 4], [3], [5]], d'
}
