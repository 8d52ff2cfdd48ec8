#!/usr/bin/env bats
# The operator's means of proof and test: record, mock, verify, doctor.

load sanitizer

setup() {
    cd "$BATS_TEST_TMPDIR"
    chmod 700 .
    cat >daemon.lua <<'EOF'
local function run(line)
    local pipe = io.popen(line)
    local text = pipe:read("a")
    local _, _, status = pipe:close()
    io.write(line, ": ", status, "\n", text)
end
run("ip -o link show lo")
os.execute("ip link set lo mtu 1400 && ip link set nosuch up")
run("echo not ours")
EOF
}

@test "record: collects the lines of a program without changing what they do" {
    inside 'lua5.4 daemon.lua'
    cp out plain
    inside -0 '"$NLSH" record -o lines lua5.4 daemon.lua'
    diff out plain
    grep -v '^#' lines | diff - <(printf '%s\n' 'ip -o link show lo' 'ip link set lo mtu 1400 && ip link set nosuch up' 'echo not ours')
    "$NLSH" explain lines >table || true
    grep -q '^native: . of 3 lines' table
    inside '"$NLSH" record --scn -o recorded.scn -- lua5.4 daemon.lua'
    head -1 recorded.scn | grep -q '^## '
    (cd "$BATS_TEST_DIRNAME" && python3 -B -c "
import sys
from pathlib import Path
from runner.scenario import read
lines = [line.text for line in read(Path(sys.argv[1]))[0].lines]
assert lines == ['ip -o link show lo', 'ip link set lo mtu 1400 && ip link set nosuch up', 'echo not ours'], lines" "$BATS_TEST_TMPDIR/recorded.scn")
}

@test "record --path: a script's commands" {
    printf '#!/bin/bash\nip link set lo mtu 1300\nip -br link show "lo" | wc -l\n' >script.sh
    inside -0 '"$NLSH" record --path -o lines bash script.sh; ip link show lo | grep -o "mtu [0-9]*"'
    grep -v '^#' lines | diff - <(printf '%s\n' 'ip link set lo mtu 1300' 'ip -br link show lo')
    [ "$(cat out)" = $'1\nmtu 1300' ]
}

@test "a recorded run becomes a scenario with the same answers, without a kernel" {
    inside -0 '"$NLSH" record --mock -o scenario.yaml lua5.4 daemon.lua'
    cp out recorded
    inside 'ip link set lo mtu 1234; "$NLSH" mock scenario.yaml --report report.json -- lua5.4 daemon.lua; ip link show lo | grep -o "mtu [0-9]*" >mtu'
    diff out recorded
    [ "$(cat mtu)" = "mtu 1234" ]
    grep -q 'all as expected' err
    python3 -c 'import json; r = json.load(open("report.json")); assert r["satisfied"] and len(r["calls"]) == 3, r'
}

@test "mock: unexpected lines and missing ones fail the run, with a difference" {
    cat >scenario.yaml <<'EOF'
commands:
  - glob: "ip * link show lo"
    output: "mocked\n"
  - ip link set lo mtu 1500 && ip link set nosuch up
EOF
    status=0
    "$NLSH" mock scenario.yaml -- lua5.4 daemon.lua >out 2>err || status=$?
    [ "$status" = 1 ]
    grep -q '^mocked$' out
    grep -q '^      - ip link set lo mtu 1500 && ip link set nosuch up$' err
    grep -q '^      + ip link set lo mtu 1400 && ip link set nosuch up$' err
    grep -q 'MISSING .*mtu 1500' err
    printf 'commands: [{lien: x}]\n' >wrong.yaml
    run -2 "$NLSH" mock wrong.yaml -- true
    [[ $output == *"wrong.yaml:1: 'lien' isn't known"* ]]
    # The report has each missing line with its place in the scenario.
    grep -q 'MISSING .*(0 of 1 times), scenario.yaml:4$' err
}

@test "mock needs no root; any order, statuses, delays" {
    place=$(mktemp -d)
    chmod 755 "$place"
    cp "$NLSH" "$NLSH-mock" "$PRELOAD" "$place"
    cat >"$place/scenario.yaml" <<'EOF'
order: any
commands:
  - {line: bridge vlan show, output: "port\n", delay: 50}
  - {regex: "^ip link add .* type dummy$", error: "RTNETLINK answers: Operation not supported\n", status: 2, times: 2}
EOF
    status=0
    (cd / && setpriv --reuid=65534 --regid=65534 --clear-groups "$place/nlsh" mock "$place/scenario.yaml" -- lua5.4 -e '
        print(select(3, os.execute("ip link add a type dummy")), select(3, os.execute("ip link add b type dummy")))
        print(io.popen("bridge vlan show"):read("a"))') >out 2>err || status=$?
    rm -r "$place"
    cat err
    [ "$status" = 0 ]
    [ "$(cat out)" = $'2\t2\nport' ]
    [ "$(grep -c 'RTNETLINK answers: Operation not supported' err)" = 2 ]
}

@test "mock --fail injects failures into an otherwise real run" {
    cat >daemon2.lua <<'EOF'
io.stdout:setvbuf('no')
for _ = 1, 2 do print(select(3, os.execute("ip link add br7 type bridge"))) end
os.execute("ip -o link show br7 | cut -d: -f2")
EOF
    inside -0 '"$NLSH" mock --fail "\"ip link add *\" with \"RTNETLINK answers: Device or resource busy\" status 2 times 1" -- lua5.4 daemon2.lua'
    [ "$(cat out)" = $'2\n0\n br7' ]
    grep -q '^RTNETLINK answers: Device or resource busy$' err
}

@test "mock --path: a script" {
    printf 'commands: [{line: ip link show eth9, output: "9: eth9\\n"}, {line: bridge fdb, status: 3}]\n' >scenario.yaml
    printf 'ip link show eth9; bridge fdb; echo $?\n' >script.sh
    "$NLSH" mock -q scenario.yaml --path -- bash script.sh >out 2>err
    [ "$(cat out)" = $'9: eth9\n3' ]
    [ ! -s err ]
}

# Runs the examples as a tester would: installs nlsh and copies the examples.
@test "the examples of nlsh-mock(1): Lua, Python, Go; the schema" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: half a minute, most of it Go's compiler"
    unsanitized "the examples are the same"
    cp -r "$ROOT/packaging/examples/mock" tests
    mkdir bin
    ln -s "$NLSH" bin/nlsh
    export PATH=$PWD/bin:$PATH
    cd tests
    [ "$(lua5.4 vlans_test.lua)" = ok ]
    python3 -B "$BATS_TEST_DIRNAME/operator/mock_examples.py"
    if command -v go; then
        go mod init vlans
        GOPATH=$PWD/go GOCACHE=$PWD/cache GOFLAGS=-mod=mod go test ./...
    fi
}

@test "NLSH_VERIFY: read-only lines run both ways; the caller gets the real output; differences are logged" {
    cat >shows.lua <<'EOF'
io.write(io.popen("ip -o link show lo"):read("a"))
os.execute("ip -br addr show lo")
print(select(3, os.execute("ip link show nosuch")))
os.execute("ip link set lo mtu 1400")
EOF
    inside 'lua5.4 shows.lua 2>&1'
    cp out plain
    inside 'export NLSH_SOCKET=$PWD/sock; serve "" --verify 1 --verify-log differences 2>log; trap end_server EXIT
        LD_PRELOAD=$PRELOAD NLSH_TRACE=$PWD/trace lua5.4 shows.lua 2>&1; "$NLSH" stats >stats'
    diff out plain
    [ ! -s differences ]
    [ "$(grep -c '	native	' trace)" = 4 ]
    grep -q '3 verified, 0 different' stats
    # A fake ip that changes the output of the real build, but has its build id.
    mkdir fake
    cat >fake/ip.c <<'EOF'
#include <unistd.h>
int main(int argc, char** argv) {
    char* words[32] = {"sh", "-c", "/sbin/ip \"$@\" | sed s/LOOPBACK/LOOPBAKE/"};
    for (int i = 0; i < argc && i < 28; ++i) words[i + 3] = argv[i];
    return execv("/bin/sh", words);
}
EOF
    cc -Wl,--build-id=0x"$(readelf -n "$(command -v ip)" | sed -n "s|.*Build ID: ||p")" -o fake/ip fake/ip.c
    export NLSH_REAL_IP=$PWD/fake/ip
    inside 'export NLSH_SOCKET=$PWD/sock PATH=$PWD/fake:$PATH; serve "" --verify 1 --verify-log differences 2>log; trap end_server EXIT
        LD_PRELOAD=$PRELOAD lua5.4 -e "os.execute(\"ip -o link show lo\")"; "$NLSH" stats >stats'
    grep -q LOOPBAKE out
    grep -q '1 verified, 1 different' stats
    grep -Eq '^20[-0-9T:.]+Z nlsh: warning: verify: DIFFERENT: `ip -o link show lo`: native: .*LOOPBACK.*real: .*LOOPBAKE' log
    grep -q '"line":"ip -o link show lo","numbers_only":false,"native":{"status":0,' differences
    inside 'PATH=$PWD/fake:$PATH NLSH_VERIFY=1 NLSH_VERIFY_LOG=$PWD/own "$NLSH" -c "ip -o link show lo"'
    grep -q LOOPBAKE out
    grep -q LOOPBAKE own
    unset NLSH_REAL_IP
    rm differences
    inside 'NLSH_VERIFY=1 NLSH_VERIFY_LOG=$PWD/differences "$NLSH" -q -c "ip -o link show lo"'
    [ ! -e differences ] || [ ! -s differences ]
    [ "$(cat out)" = "$(unshare -n ip -o link show lo)" ]
}

@test "doctor names problems and fixes" {
    # Hide the notes that other tests have left in /dev/shm for this user.
    # It succeeds, because a slower way is native.
    inside -0 'mount -t tmpfs none /dev/shm; export NLSH_SOCKET=$PWD/sock; "$NLSH" doctor' -m
    cat out
    grep -Eq "^good +ip +/.*[ ,].*$(ip -V | sed 's/.*iproute2-\([0-9.]*\).*/\1/')" out
    grep -Eq '^good +preload ' out
    grep -Eq '^warning +server ' out
    grep -q 'nlsh serve' out
    [ "$(grep -c '^warning .*calls from here.*native, by a spawned nlsh' out)" = 3 ]
    grep -q -- '-> spawned: no server: start one' out
    grep -Eq '^good +calls from here, nlsh -c +native' out
    inside -1 'export NLSH_SOCKET=$PWD/sock NLSH_DISABLE=1; "$NLSH" doctor'
    [ "$(grep -c '^failed .*calls from here, [ps].*falls back to the real ip' out)" = 2 ]
    grep -q 'nlsh serve' out
    inside 'export NLSH_SOCKET=$PWD/sock; serve; trap end_server EXIT
        "$NLSH" doctor "$(command -v lua5.4)"; echo $?; "$NLSH" doctor "$ROOT/build/release/nlsh" $$ --json >json; echo $?; touch disable; "$NLSH" doctor >switched; echo $?; rm disable'
    grep -Eq '^good +server +answers' out
    [ "$(grep -E '^[0-9]+$' out)" = $'0\n1\n1' ]
    grep -q 'rm .*/disable' switched
    # doctor finds a program by name, as a shell does; for a script it judges the interpreter.
    echo "#!$(command -v lua5.4)" >script
    echo "#!$PWD/circle" >circle
    "$NLSH" doctor lua5.4 ./script ./circle nosuch >targets || true
    [ "$(grep -cE '^good .*the preload reaches it' targets)" = 2 ]
    [ "$(grep -cE -- '-> .*(without an interpreter|there is none)' targets)" = 2 ]
    python3 -c 'import json; checks = json.load(open("json")); assert any("statically" in c.get("advice", "") for c in checks), checks; assert any(c["found"] == "hasn'"'"'t the preload" for c in checks), checks'
}
