#!/usr/bin/env bats
# Failing execs, which a language's runtime detects by a close-on-exec descriptor. The errors must be the same without nlsh and with it: no iproute2
# installed, too many words, no program, no interpreter, a loop of links, a directory, an empty name.

load sanitizer

setup_file() {
    share_server
    mkdir "$SHARED"/{closed,script,loop,folder,nothing,folder/ip,folder/sh,hidden}
    for name in ip sh; do
        echo 'echo no program' >"$SHARED/closed/$name"
        printf '#!/nonexistent/interpreter\n' >"$SHARED/script/$name"
        chmod 755 "$SHARED/script/$name"
        ln -s "$name" "$SHARED/loop/$name"
    done
}

teardown_file() { end_shared_server; }

# equal COMMAND…: must do the same without and with the preload, with and without iproute2 installed.
equal() {
    local -x NLSH_SOCKET=$SHARED/sock
    cd "$BATS_TEST_DIRNAME/exec_fails"
    local AROUND=(unshare -n)
    for place in with without; do
        [ $place = with ] || AROUND+=("$PWD/without_iproute2.sh" "$SHARED/hidden")
        twin LD_PRELOAD="$PRELOAD" -- "$@" "$SHARED"
        [ "$(wc -l <"$BATS_TEST_TMPDIR/plain")" -ge 13 ] # the program tried all of them
    done
}

@test "Python's subprocess raises the exec's error" { equal /usr/bin/python3 -B python.py; }
@test "Perl's system and open set the exec's errno" { equal perl perl.pl; }
@test "Ruby's spawn and IO.popen raise the exec's error" {
    needs ruby
    equal ruby ruby.rb
}
@test "Tcl's exec fails with the exec's error" {
    needs tclsh
    equal tclsh tcl.tcl
}
@test "node's spawnSync returns the exec's error code" {
    needs node
    equal node node.js
}
@test "Java's ProcessBuilder throws the exec's error" {
    needs javac
    javac -d "$BATS_TEST_TMPDIR" "$BATS_TEST_DIRNAME/exec_fails/Java.java"
    equal java -cp "$BATS_TEST_TMPDIR" Java
}
@test "dash, bash and xargs print the exec's error" {
    cat >"$BATS_TEST_TMPDIR/script" <<'SCRIPT'
for file in ip /usr/sbin/ip "$1"/{closed,script,loop,folder,nothing}/ip; do
    for shell in dash bash; do
        $shell -c "$file link set lo up; echo \$?"
    done
    env "$file" link set lo up
    echo $?
done
ip link show "$(printf %0140000d 1)"
echo $?
SCRIPT
    equal bash "$BATS_TEST_TMPDIR/script"
}
