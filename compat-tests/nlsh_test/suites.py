#!/usr/bin/env python3
"""The table of suites. compat-tests/run takes the order from it, and contributing.md the tests for a change.

suites.py queues          the bats files of each queue, a line each; those that no row names come last
suites.py left-out        what a short run leaves out
suites.py contributing    contributing.md's table
suites.py check FILE      0, or 1 and what is wrong: of the files, and of contributing.md's table in FILE
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from nlsh_test.place import ROOT, TESTS

# The queues run side by side on two processors, because many files mostly wait; fuzzing gets the remaining time. Suites that make packages,
# or boot more than the guest, new suites, and those that fill its time run one by one in the last queue.
LANES, FIRE, TOOLS, ALONE, FUZZ, UNITS = "lanes", "fire", "tools", "alone", "fuzz", "units"
QUEUES = (LANES, FIRE, TOOLS, ALONE)


class Suite(NamedTuple):
    name: str  # compat-tests/NAME.bats; ctest runs UNITS
    queue: str
    left_out: str = ""  # why a short run leaves it out
    change: str = ""  # the changes that it tests
    add: str = ""  # where to add a test; empty: in the row's bats file
    command: str = ""  # empty: bats
    takes: str = ""


SUITES = (
    Suite(
        "lanes",
        LANES,
        "iproute2 against itself; of the guest's blocks those that show each kind of link, each feature and each file once, by popen alone; "
        "no modules; the harness's and the fuzzer's own tests",
        "how `ip` or `bridge` words are read, what is sent or printed; a filter behind a pipe",
        "lines in the object's file of `compat-tests/scenarios`",
        "`cd compat-tests && python3 -m runner host scenarios/OBJECT.scn`, or `runner guest …`",
        "5 to 60 s",
    ),
    Suite(
        "units",
        UNITS,
        "",
        "decoding or printing what no kernel here sends",
        "a unit test beside the source",
        "`ctest --test-dir build/release -R NAME`",
        "1 s",
    ),
    Suite("shell", TOOLS, "", "the shell subset", "a line in `parser/shell/program_test.cpp`, a scenario", "", "40 s"),
    Suite(
        "cli",
        TOOLS,
        "",
        "a verb, an option or a message of `nlsh`",
        "there; what a user wouldn't type: `compat-tests/cli/*_test.py`",
        "",
        "40 s",
    ),
    Suite("batch", TOOLS, "", "batches", "", "", "15 s"),
    Suite(
        "safety",
        FIRE,
        "a soak of ${NLSH_SOAK} commands instead of 8000, ${NLSH_KILLS} kills instead of 60, every twentieth attack instead of every eighth "
        "(all: safety/attack attack_test)",
        "the server: peers, workers, rights",
        "`compat-tests/safety/*_test.py`",
        "`compat-tests/safety/attack peers_test`",
        "10 to 180 s",
    ),
    Suite(
        "units",
        UNITS,
        "",
        "the preload: popen, system",
        "`preload/tests/battery/*.c`, `preload/tests/*_test.py`",
        "`ctest --test-dir build/release -R preload`",
        "30 s",
    ),
    Suite("ways", TOOLS, "", "the preload: exec, posix_spawn", "the same; for whole programs: there", "", "40 s"),
    Suite(
        "library",
        TOOLS,
        "the functions of packaging/examples/nlapi.c in the guest",
        "the in-process engine, libnlsh, the Python package",
        "there, `python.bats`, or `preload/tests/inproc_test.py`",
        "",
        "20 s",
    ),
    Suite("python", LANES),
    Suite("builtin", TOOLS, "Debian 13's bash", "bash's builtin", "a script in `compat-tests/builtin/scripts`", "", "60 s"),
    Suite(
        "qualify",
        LANES,
        "programs that crash or hang",
        "qualifying unknown builds, recordings",
        "there; recordings as [020](decisions/020-replay.md) says",
        "",
        "120 s",
    ),
    Suite("first_use", LANES),
    Suite(
        "builds",
        FIRE,
        "the build on Debian 13 itself, eleven of twelve builds with one trait turned (--long: three of four; all: builds/turned.py)",
        "a difference between builds of iproute2",
        "a row in `parser/ip/traits/traits.def`, one in `compat-tests/builds/turned_rows.py`",
        "",
        "120 s",
    ),
    Suite("operator", ALONE, "", "stats, doctor, top, the log", "", "", "20 s"),
    Suite("operator_trust", LANES, "nlsh-mock's examples"),
    Suite("doctor", ALONE),
    Suite(
        "versions",
        ALONE,
        "nothing, unless compat-tests/versions/build has made the previous release",
        "the wire, the engine's interface, how the preload starts `nlsh`",
        "",
        "`compat-tests/versions/build` once, `bats compat-tests/versions.bats`",
        "5 minutes; 120 s",
    ),
    Suite("install", ALONE, "", "packages, units, installation", "there, or `boot.bats`", "", "90 s"),
    Suite("boot", ALONE, "Debian 13's machine, adopting.md's playbook"),
    Suite("docs", ALONE, "", "a document", "nothing: `docs.bats` runs it", "`bats -f FILE.md compat-tests/docs.bats`", "5 s"),
    Suite(
        "complexity",
        LANES,
        "",
        "something that must stay fast",
        "a row of `bench/`; a test asserts growth only",
        "`bench/run ways`, `bats compat-tests/complexity.bats`",
        "minutes",
    ),
    Suite("bench", TOOLS, "the benchmarks' smoke runs"),
    Suite("instructions", LANES),
    Suite("service", FIRE),
    Suite("audit", FIRE),
    Suite("exec_fails", ALONE),
    Suite("exec_output", ALONE),
    Suite("exec_spawned", ALONE),
    Suite("sinks", ALONE),
    Suite("survey", TOOLS),
    Suite("writes", TOOLS),
    Suite("public_lines", ALONE),
    Suite("million", TOOLS),
    Suite("clients", TOOLS),
    Suite("monitor", TOOLS, "monitors in other forms"),
    Suite("containers", ALONE),
    Suite("environments", ALONE, "five of 41 environments, seven of 13 ways"),
    Suite("foreign", ALONE, "ifupdown"),
    Suite("release", ALONE),
    Suite("sonic", ALONE, "the container of a switch, on Debian 13"),
    Suite("fuzz", FUZZ, "${FUZZ_SECONDS} s instead of 600"),
)


def files() -> set[str]:
    listed = subprocess.run(["git", "ls-files", "*.bats"], cwd=TESTS, capture_output=True, text=True, check=True).stdout
    return {Path(name).stem for name in listed.split() if "/" not in name}


def named() -> set[str]:
    return {suite.name for suite in SUITES if suite.queue != UNITS}


def queues():
    new = sorted(files() - named())
    for queue in QUEUES:
        names = list(dict.fromkeys(suite.name for suite in SUITES if suite.queue == queue)) + (new if queue == ALONE else [])
        print(*(f"compat-tests/{name}.bats" for name in names))


def left_out():
    for suite in SUITES:
        if suite.left_out:
            print(f"  {suite.name + '.bats':<20} {os.path.expandvars(suite.left_out)}")


def contributing() -> str:
    rows = ["| I changed | I add | I run (it takes) |", "|---|---|---|"]
    for suite in SUITES:
        if suite.change:
            file = f"compat-tests/{suite.name}.bats"
            rows.append(f"| {suite.change} | {suite.add or 'there'} | {suite.command or f'`bats {file}`'} ({suite.takes}) |")
    return "\n".join(rows)


def check(document: str) -> int:
    wrong = [f"{name}.bats: no row of the table" for name in sorted(files() - named())]
    wrong += [f"{name}.bats: a row, and no file" for name in sorted(named() - files())]
    if contributing() not in Path(document).read_text():
        wrong.append(f"{document}: its table differs from what {Path(__file__).relative_to(ROOT)} contributing prints")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


def main() -> int:
    verbs = {"queues": queues, "left-out": left_out, "contributing": lambda: print(contributing())}
    if len(sys.argv) == 3 and sys.argv[1] == "check":
        return check(sys.argv[2])
    if len(sys.argv) != 2 or sys.argv[1] not in verbs:
        print(__doc__, file=sys.stderr)
        return 2
    verbs[sys.argv[1]]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
