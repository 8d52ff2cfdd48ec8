#!/usr/bin/env bats
# The project's rules that scripts check: one version number, commit subjects.

load sanitizer

# A clone with its own history, in which the tests break the rules.
setup() {
    git -C "$ROOT" rev-parse -q --verify HEAD >/dev/null || skip "no git history here"
    git clone -q --no-local "$ROOT" "$BATS_TEST_TMPDIR/clone"
    cd "$BATS_TEST_TMPDIR/clone"
    cp -r "$ROOT/.ci" . && cp "$ROOT/packaging/release-check" packaging/
    git config user.name test && git config user.email test@example.invalid
}

@test "release-check: finds a file with another version" {
    run -0 packaging/release-check --versions
    sed -i 's/^__version__ = .*/__version__ = "9.9.9"/' packaging/python/nlsh/__init__.py
    run -1 packaging/release-check --versions
    grep -q "^FAILED  Python's package" <<<"$output"
    [ "$(grep -c ^FAILED <<<"$output")" = 1 ]
}

@test "release-check: lists why a release isn't ready" {
    echo >>CHANGELOG.md
    git tag "v$(sed -n 's/^project(nlsh VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)"
    run -1 packaging/release-check
    grep -q '^FAILED  the work tree is clean' <<<"$output"
    grep -q '^FAILED  no tag v' <<<"$output"
}

@test "commits: finds a long subject, but not before the last release" {
    git tag v98
    run -0 .ci/commits
    git commit -q --allow-empty -m "$(printf 'x%.0s' {1..73})"
    run -1 .ci/commits
    grep -q 'xxxx' <<<"$output"
    git tag v99
    run -0 .ci/commits
    grep -q '^commits: 0 since v99' <<<"$output"
    git commit -q --allow-empty -m "$(printf 'x%.0s' {1..72})"
    run -0 .ci/commits
}
