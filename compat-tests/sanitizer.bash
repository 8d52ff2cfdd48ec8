# For bats files: which build is tested (NLSH_BUILD; build/release), and what that means when it is a sanitizer's (sanitized).

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=$ROOT/${NLSH_BUILD:-build/release}
NLSH=$BUILD/nlsh PRELOAD=$BUILD/libnlsh-preload.so
SANITIZE=$(sed -n 's/^NLSH_SANITIZE:STRING=\(fuzzer-no-link,\)\?//p' "$BUILD/CMakeCache.txt" 2>/dev/null) || true
COMPILER=gcc RUNTIME=
if [ -n "$SANITIZE" ]; then
    COMPILER="clang-19 -fsanitize=$SANITIZE -fsanitize-link-c++-runtime -Wno-unused-command-line-argument -lstdc++"
    # Before the preload, for what of ours is loaded into an unmodified program.
    RUNTIME=$(clang-19 -print-file-name="libclang_rt.$(sed 's/thread/tsan/; s/address.*/asan/' <<<"$SANITIZE")-x86_64.so")
fi
# User-Mode Linux gives a process 39 bits of addresses, the sanitizers' shadows want 47: what runs there is the release build.
GUEST_BUILD=$([ -n "$SANITIZE" ] && echo "$ROOT/build/release" || echo "$BUILD")
export ROOT BUILD GUEST_BUILD NLSH PRELOAD COMPILER RUNTIME

# unsanitized REASON: this test says nothing of a sanitizer's build.
unsanitized() {
    [ -z "$SANITIZE" ] || skip "sanitizer: $1"
}

# seconds LIMIT: of what may take so long in the release build.
seconds() {
    echo $(($1 * (${#SANITIZE} > 0 ? 5 : 1)))
}

# guest_sanitizer: for a test in the guest, where valgrind's memcheck (of a build with a shared malloc) takes ASan's place.
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

# no_guest_report: at the end of such a test.
no_guest_report() {
    [ -n "$SANITIZE" ] || return 0
    compgen -G "$BATS_TEST_TMPDIR/memcheck.*" >/dev/null
    ! grep -h -A 20 REPORT "$BATS_TEST_TMPDIR"/memcheck.*
}

. "$ROOT/compat-tests/nlsh_test/shell.bash"
