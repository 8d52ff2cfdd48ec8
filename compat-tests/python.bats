#!/usr/bin/env bats
# The Python package (packaging/python): compares it with the real iproute2, and tests its wheel and its types. install.bats tests its Debian package.

load sanitizer

setup_file() {
    cp -r "$ROOT/packaging/python" "$BATS_FILE_TMPDIR/python"
    # Debian's python3, not a developer's own in PATH.
    export PYTHON=/usr/bin/python3 PYTHONDONTWRITEBYTECODE=1 LD_LIBRARY_PATH=$BUILD PYTHONPATH=$BATS_FILE_TMPDIR/python
}

# Preloads the sanitizer's runtime, which Python lacks; ignores Python's own leaks.
alone() { # COMMAND…: in a network namespace
    timeout "$(seconds 300)" unshare -n env LD_PRELOAD="$RUNTIME" ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" "$@"
}

@test "output, errors, statuses and the network equal the real tools'; failures, words, forks, threads" {
    run alone "$PYTHON" "$ROOT/compat-tests/python/test_nlsh.py"
    echo "$output"
    [ "$status" = 0 ]
    [[ "$output" =~ Ran\ ([0-9]+)\ tests && "${BASH_REMATCH[1]}" -ge 25 && "$output" != *skipped* ]]
}

@test "the wheel: built without a network, by Debian's setuptools, it has the package and its types; the library's version" {
    cd "$BATS_TEST_TMPDIR"
    unshare -n "$PYTHON" -m pip -q wheel --no-build-isolation --no-deps --no-index --wheel-dir . "$BATS_FILE_TMPDIR/python"
    wheel=$(echo *.whl)
    [ "$wheel" = "nlsh-$("$NLSH" --version | grep -oE '[0-9.]+' | head -1)-py3-none-any.whl" ]
    "$PYTHON" -m zipfile -e "$wheel" site
    diff <(cd site && find . -type f -path './nlsh/*' | sort) <(cd "$ROOT/packaging/python" && git ls-files nlsh | sed 's|^|./|' | sort)
    PYTHONPATH=site run -0 alone "$PYTHON" -c 'import nlsh; print(nlsh.check("ip -br link show lo").output.split()[0], nlsh.__file__)'
    [ "$output" = "lo $PWD/site/nlsh/__init__.py" ]
}

@test "without libnlsh the import names what is missing" {
    LD_LIBRARY_PATH='' run -1 "$PYTHON" -c 'import nlsh'
    [[ "$output" == *"ImportError: nlsh needs libnlsh (Debian: libnlsh0): libnlsh.so.0: "* ]]
}

@test "the types are right (mypy --strict)" {
    command -v mypy >/dev/null || skip "mypy isn't installed"
    cd "$BATS_FILE_TMPDIR/python"
    env -u LD_LIBRARY_PATH mypy --strict --cache-dir "$BATS_TEST_TMPDIR/mypy" nlsh
}
