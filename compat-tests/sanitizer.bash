# For bats files: sets the build to test (NLSH_BUILD; build/release), and adapts tests to a sanitizer's build (./sanitized).

bats_require_minimum_version 1.5.0 # for `run`'s options

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=$ROOT/${NLSH_BUILD:-build/release}
NLSH=$BUILD/nlsh PRELOAD=$BUILD/libnlsh-preload.so
SANITIZE=$(sed -n 's/^NLSH_SANITIZE:STRING=\(fuzzer-no-link,\)\?//p' "$BUILD/CMakeCache.txt" 2>/dev/null) || true
COMPILER=gcc RUNTIME=
if [ -n "$SANITIZE" ]; then
    COMPILER="clang-19 -fsanitize=$SANITIZE -fsanitize-link-c++-runtime -Wno-unused-command-line-argument -lstdc++"
    # The sanitizer's runtime, which comes before the preload in LD_PRELOAD when our libraries are loaded into an unmodified program.
    RUNTIME=$(clang-19 -print-file-name="libclang_rt.$(sed 's/thread/tsan/; s/address.*/asan/' <<<"$SANITIZE")-x86_64.so")
fi
# User-Mode Linux gives a process 39 bits of addresses, and the sanitizers' shadows need 47. So the release build runs there.
GUEST_BUILD=$([ -n "$SANITIZE" ] && echo "$ROOT/build/release" || echo "$BUILD")
export ROOT BUILD GUEST_BUILD NLSH PRELOAD COMPILER RUNTIME

# unsanitized REASON: skips the test for a sanitizer's build.
unsanitized() {
    [ -z "$SANITIZE" ] || skip "sanitizer: $1"
}

# seconds LIMIT: prints the limit for this build; LIMIT is the release build's.
seconds() {
    echo $(($1 * (${#SANITIZE} > 0 ? 5 : 1)))
}

# guest_sanitizer: prepares a test in the guest, where valgrind's memcheck (with a build whose malloc is shared) replaces ASan.
guest_sanitizer() {
    case $SANITIZE in
        '') ;;
        address*)
            cmake --build "$GUEST_BUILD" --target nlsh_shared nlsh_library
            gcc -shared -fPIC -O1 "$ROOT/compat-tests/memcheck_calls.c" -o "$BATS_TEST_TMPDIR/memcheck_calls.so"
            export NLSH_GUEST_BUILD=build/release/shared NLSH_GUEST_OPTIONS=--no-seccomp NLSH_GUEST_SECONDS
            NLSH_GUEST_SECONDS=$(seconds 900)
            export NLSH_GUEST_PREFIX="env LD_PRELOAD=$BATS_TEST_TMPDIR/memcheck_calls.so valgrind --quiet --leak-check=no --error-markers=REPORT, --log-file=$BATS_TEST_TMPDIR/memcheck.%g.%p"
            ;;
        *) unsanitized "its shadow doesn't fit into User-Mode Linux's 39 bits of addresses" ;;
    esac
}

# no_guest_report: call it at the end of such a test.
no_guest_report() {
    [ -n "$SANITIZE" ] || return 0
    compgen -G "$BATS_TEST_TMPDIR/memcheck.*" >/dev/null
    ! grep -h -A 20 REPORT "$BATS_TEST_TMPDIR"/memcheck.*
}

. "$ROOT/compat-tests/nlsh_test/shell.bash"
