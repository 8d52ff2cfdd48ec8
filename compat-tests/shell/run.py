#!/usr/bin/env python3
"""Runs each line of lines.txt by the real shell and by nlsh, and compares stdout, stderr and status.

    run.py [--tool PROGRAM] [NLSH]

Each line runs as it is (sh) and wrapped as `bash -c LINE`, in a fresh directory and in new network
namespaces. --tool names a test program instead: `PROGRAM DIALECT LINE`, which returns 250 for a decline."""

import argparse
import concurrent.futures
import os
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
from nlsh_test.calls import enter_network  # noqa: E402

DECLINED = 250


def cases():
    section = ""
    for line in open(os.path.join(HERE, "lines.txt"), encoding="utf-8").read().split("\n"):
        if line.startswith("%"):
            section = line[1:]
        elif line and not line.startswith("#"):
            yield section, line.replace("⏎", "\n")


def run(argv, directory, variables):
    done = subprocess.run(
        argv, cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, timeout=20, env=os.environ | {"LC_ALL": "C"} | variables
    )
    files = {name: open(os.path.join(directory, name), "rb").read() for name in sorted(os.listdir(directory))}
    return done.stdout, done.stderr, done.returncode, files


def in_fresh_directory(argv, **variables):
    with tempfile.TemporaryDirectory() as directory:
        return run(argv, directory, variables)


class Candidate:
    def __init__(self, options):
        self.options = options

    def result(self, line):
        """None if the line falls back."""
        if self.options.tool:
            result = in_fresh_directory([self.options.tool, "dash", line])
            return None if result[2] == DECLINED else result
        with tempfile.NamedTemporaryFile("r") as trace:
            result = in_fresh_directory([self.options.nlsh, "-q", "-c", line], NLSH_TRACE=trace.name)
            return result if "\tnative\t" in trace.read() else None


def check(candidate, section, line):
    """The differences in words; empty if there are none."""
    ours = candidate.result(line)
    if section == "declined":
        return None if ours is None else "isn't declined"
    if ours is None:
        return "is declined"
    real = in_fresh_directory(["sh", "-c", line])
    return None if real == ours else f"\n    real {real}\n    nlsh {ours}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool")
    parser.add_argument("nlsh", nargs="?", default=os.path.join(HERE, "../../build/release/nlsh"))
    options = parser.parse_args()
    options.nlsh = os.path.abspath(options.nlsh)
    if options.tool:
        options.tool = os.path.abspath(options.tool)
    candidate = Candidate(options)
    forms = [
        (section, form)
        for section, line in cases()
        for form in (line, "bash -c " + shlex.quote(line))
        if section != "declined" or form == line
    ]
    # Each thread has its own namespace: threads must not see each other's settings.
    with concurrent.futures.ThreadPoolExecutor(2, initializer=enter_network) as pool:
        problems = pool.map(lambda form: check(candidate, *form), forms)
        failed = [f"FAIL {section}: {form}: {problem}" for (section, form), problem in zip(forms, problems) if problem]
    print("\n".join([*failed, f"{len(forms)} lines, {len(failed)} failed"]))
    return 1 if failed else 0


sys.exit(main())
