#!/usr/bin/env bats
# Unknown builds of iproute2: `nlsh qualify` finds the right traits. The builds: this machine's (Debian 12 or 13) and other
# Debians', with other build ids, or with single texts changed.

bats_require_minimum_version 1.5.0
load sanitizer

setup() {
    cd "$BATS_TEST_TMPDIR"
    chmod 700 .
    mkdir -m 755 tools record
    export NLSH_BUILDS=$PWD/record/qualified NLSH_REAL_IP=$PWD/tools/ip NLSH_REAL_BRIDGE=$PWD/tools/bridge
    version=$(PATH=/usr/sbin:/usr/bin:/sbin:/bin ip -V | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1) release=v${version%.0}
    release=${release/./_}
    export PATH=$PWD/tools:$PATH NLSH_SOCKET=$PWD/sock
}

# build TOOL [OLD NEW]: a copy in tools, with a build id of its own (builds/other_build.py; a root of another Debian has the copy).
setup_file() {
    cp "$BATS_TEST_DIRNAME/builds/other_build.py" "$BATS_FILE_TMPDIR"
}
build() {
    python3 -B "$BATS_FILE_TMPDIR/other_build.py" "$@"
    chmod 755 "tools/$1"
}

# learn: the builds are qualified; what doctor says of them is in `out`.
learn() {
    "$NLSH" qualify --quiet
    "$NLSH" doctor >out || true
}

native() { # LINE
    "$NLSH" explain "$1" >explained || return 1
}

fallback() { # LINE REASON
    ! "$NLSH" explain "$1" >explained
    grep -q -- "$2" explained
}

# The traits that were found are the release's, by the column SINCE of parser/ip/traits/traits.def.
found_is_written() { # RELEASE, as parser/ip/traits/traits.h names it
    python3 - "$1" "$ROOT/parser/ip/traits" "$NLSH_BUILDS" <<'END'
import re, sys
release, folder, record = sys.argv[1], sys.argv[2], open(sys.argv[3]).read()
releases = re.findall(r"^    (\w+),", re.search(r"enum class Release.*?\n};", open(folder + "/traits.h").read(), re.S)[0], re.M)
since = dict(re.findall(r"^NLSH_TRAIT\((\w+), (\w+)", open(folder + "/traits.def").read(), re.M))
assert len(since) > 60, since
for line in record.splitlines():
    found = dict(part.split("=", 1) for part in line.split() if "=" in part)
    for answer in ("yes", "no"):
        for name in filter(None, found[answer].split(",")):
            has = releases.index(since[name]) <= releases.index(release)
            assert (answer == "yes") == has, (line.split()[0], name, answer)
    print(line.split()[0], "open:", found["open"])
    assert not found["open"] or release == "v5_10", found["open"]  # 5.10 lacks the objects that some questions are about
assert record.count("\n") == 2
END
}

@test "this machine's build under another build id: nlsh finds the recorded traits" {
    build ip && build bridge
    fallback "ip link show" "iproute2 $version"
    [ ! -e record/qualified ]
    learn
    cat out record/qualified
    grep -Eq '^(good|warning) +ip .*was qualified' out
    run found_is_written "$release"
    echo "$output" | sed 's/^/# /' >&3
    [ "$status" = 0 ]
    native "ip -d link show && bridge fdb show"
    [ "$(unshare -n "$NLSH" -c "ip -d link show lo")" = "$(unshare -n ip -d link show lo)" ]
}

# traits_inside SUITE RELEASE: that Debian's build under another build id.
traits_inside() {
    root=$("$ROOT/compat-tests/boot/root" --reference "$1") || { [ $? = 77 ] && skip "$root"; }
    cd "$ROOT/compat-tests"
    run timeout 300 python3 -B -m runner inside "$1" bash -ec "$(declare -f build learn native)"'
        cd "$0"; export PATH=$PWD/tools:$PATH
        build ip; build bridge; learn; cat out; native "ip -d link show; bridge fdb show"
        unshare -n "$NLSH" -c "ip -d link show lo" >native; unshare -n ip -d link show lo >real; diff native real' "$BATS_TEST_TMPDIR"
    echo "$output"
    [ "$status" = 0 ]
    cd "$BATS_TEST_TMPDIR"
    run found_is_written "$2"
    echo "$output" | sed 's/^/# /' >&3
    [ "$status" = 0 ]
}

@test "Debian 13's build under another build id, on Debian 13" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: a minute in its root"
    unsanitized "Debian 13 lacks the libraries that a sanitizer's build is linked to"
    traits_inside trixie v6_15
}

@test "7.2, which isn't written down: nlsh finds all traits up to it" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: a minute in its root"
    unsanitized "Debian forky lacks the libraries that a sanitizer's build is linked to"
    [[ "$(cd "$ROOT/compat-tests" && python3 -B -m runner inside forky ip -V)" == *iproute2-7.2.* ]] || skip "forky has another iproute2, or no root"
    traits_inside forky v7_2
}

# Those that write a batch's output when 4,096 bytes are there, and at its end.
@test "7.2 and 7.3: batches print as theirs, in blocks" {
    [ -z "${NLSH_SHORT:-}" ] || skip "short run: a minute in their roots"
    unsanitized "Debian forky lacks the libraries that a sanitizer's build is linked to"
    cd "$ROOT/compat-tests"
    for suite in forky sid; do
        root=$("$ROOT/compat-tests/boot/root" --reference "$suite") || { [ $? = 77 ] && skip "$root"; }
        run timeout 300 python3 -B -m runner inside "$suite" bash -ec 'cd "$0"; rm -rf record/* cache; export XDG_CACHE_HOME=$PWD/cache
            "$NLSH" qualify >/dev/null 2>&1; python3 -B "$ROOT/compat-tests/builds/blocks.py" "$NLSH"' "$BATS_TEST_TMPDIR"
        echo "$output"
        echo "$suite: ${lines[-1]}" | sed 's/^/# /' >&3
        [ "$status" = 0 ]
    done
}

@test "Debian 11's build under another build id, over this machine" {
    traits_inside bullseye v5_10
}

@test "a build that doesn't know NO_COLOR: nlsh prints its colours" {
    [ "$version" != 6.1.0 ] || skip "6.1.0 doesn't know it either"
    build ip 'NO_COLOR\0' 'NO_COLO\0'
    build bridge
    learn
    grep -q 'no=[^ ]*no_color_variable' record/qualified
    native "ip link show dev lo"
    NO_COLOR=1 unshare -n script -qec "$NLSH -q -c 'ip link show dev lo'" /dev/null >native </dev/null
    NO_COLOR=1 unshare -n script -qec "NLSH_DISABLE=1 ip link show dev lo" /dev/null >real </dev/null
    diff native real
    grep -q $'\e\\[36mlo' native
}

@test "a build with other colours: coloured shows fall back, others are native" {
    build ip '\x1b[36m' '\x1b[37m'
    build bridge '\x1b[36m' '\x1b[37m'
    learn
    cat out
    for tool in ip bridge; do
        grep -Eq "^warning +$tool .*left to it: .* show\|[a-z0-9 -]* -c[, ]" out
        for option in -c -color=always; do
            fallback "$tool $option link show" "isn't proven"
        done
        native "$tool link show; $tool -c=never link show"
    done
    [[ "$(unshare -n "$NLSH" -c "ip -c link show lo")" == *'[37mlo'* ]]
    [[ "$(unshare -n script -qec "$NLSH -q -c 'ip -c=auto link show lo'" /dev/null </dev/null)" == *'[37mlo'* ]]
}

@test "fdb protocols: if a bridge's usage has them but the bridge refuses them, lines with them fall back" {
    build ip
    build bridge '[ sticky ] [ local' '[ proto  ] [ local'
    learn
    cat out
    grep -Eq '^warning +bridge .*open: [a-z_, ]*fdb_protocol' out
    fallback "bridge fdb add 00:00:00:00:00:00 dev lo proto hw" fdb_protocol
    native "bridge fdb add 00:00:00:00:00:00 dev lo dst 10.0.0.1"
    native "bridge vlan show; ip link show"
}

# edited TOOL: a build whose output is edited, as tools/TOOL.edits says (builds/edited.c).
edited() {
    build "$1"
    gcc -O1 -shared -fPIC -o tools/libedited.so "$ROOT/compat-tests/builds/edited.c"
    patchelf --add-needed "$PWD/tools/libedited.so" "tools/$1"
}

@test "SONiC's patched bridge, played: nlsh prints the usage that fdbsyncd reads; fdb entries fall back, others are native" {
    build ip
    edited bridge
    tr @ '\t' >tools/bridge.edits <<END
out@fdb.*help@\[ sticky \]@[ sticky ] [ proto PROTO ]
words@fdb (add|append|replace) .* proto@ proto(col)? [a-z0-9]+@
out@fdb.*show@([a-z]+) ?(\n)@\1 proto hw\2
END
    learn
    cat out
    grep -q '^bridge .*yes=[^ ]*fdb_protocol' record/qualified
    native "bridge fdb help 2>&1 | grep -q proto"
    native "bridge fdb help"
    for line in "bridge fdb help 2>&1 | grep -q proto" "bridge fdb help" "bridge fdb help | grep proto" "bridge fdb help 2>&1"; do
        status=0 real=0
        unshare -n "$NLSH" -q -c "$line" >native 2>native.error || status=$?
        NLSH_DISABLE=1 unshare -n sh -c "$line" >real 2>real.error || real=$?
        diff native real && diff native.error real.error
        [ "$status" = "$real" ]
    done
    fallback "bridge fdb show" "isn't proven of this iproute2"
    fallback "bridge fdb add 00:00:00:00:00:00 dev lo proto hw" "isn.t proven"
    fallback "bridge monitor fdb" ""
    native "bridge vlan show; ip link show"
    unshare -n bash -c 'ip link add v0 type veth peer name v1
        "$NLSH" -q -c "bridge fdb add 02:00:00:00:00:07 dev v0 proto hw" && "$NLSH" -q -c "bridge fdb show dev v0"' >shown
    grep -q '^02:00:00:00:00:07 self permanent proto hw$' shown
}

# A part of the table. All of it: NLSH=… compat-tests/builds/turned.py (five minutes).
@test "builds with one trait turned: nlsh prints what they print" {
    run timeout "$(seconds 900)" "$ROOT/compat-tests/builds/turned.py" $((NLSH_SHORT ? 12 : 4))
    echo "$output"
    echo "$output" | tail -n 2 | sed 's/^/# /' >&3
    [ "$status" = 0 ]
}
