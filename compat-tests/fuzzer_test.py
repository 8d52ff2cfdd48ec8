"""The fuzzer's promises: the same seed gives the same lines, no line reaches the machine's own namespace, and it finds a difference and
reduces it to the lines that it needs."""

import re
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from fuzzer import quick, reduce, setup
from fuzzer.__main__ import lines_of
from runner import block, build, paths
from runner.ways import WAYS, Way

BLOCKS = 600
# A faulty nlsh: it forgets an alias, and prints something else for one device.
WRONG = """#!/bin/sh
nlsh={nlsh}
case $3 in
    *"alias text"*) exit 0 ;;
    "ip link show v3") echo nothing; exit 0 ;;
esac
exec "$nlsh" "$@"
"""
NOISE = [
    "ip address show",
    "ip link set v1 mtu 1400",
    "bridge fdb show",
    "ip route add 192.0.9.0/24 via 10.0.0.9",
    "ip neigh show",
    "ip link add n0 type ifb",
    "ip rule show",
    "ip link set n0 up",
]


class Lines(unittest.TestCase):
    def test_a_seed_gives_the_same_lines(self):
        for number in range(20):
            self.assertEqual(lines_of(7, number), lines_of(7, number))
        self.assertNotEqual(lines_of(7, 0), lines_of(8, 0))

    def test_no_line_moves_a_link_by_a_process_id_or_runs_a_program(self):
        forbidden = re.compile(r"netns '?[0-9]|-netns '?[0-9]|netns (?:exec|attach|monitor|pids)|monitor|_opts")
        for number in range(BLOCKS):
            for line in lines_of(1, number):
                self.assertIsNone(forbidden.search(line), line)


class Reduction(unittest.TestCase):
    def setUp(self):
        build.tools()
        self.folder = tempfile.TemporaryDirectory(prefix="nlsh-fuzz-")
        self.addCleanup(self.folder.cleanup)
        wrong = Path(self.folder.name) / "nlsh"
        wrong.write_text(WRONG.format(nlsh=paths.NLSH))
        wrong.chmod(0o755)
        # The state here never changes late, so don't retry for seconds.
        for patch in (
            mock.patch.dict(
                WAYS, {"wrong": Way("wrong", "x", words=(str(wrong), "-q", "-c")), "real": Way("real", "x", words=("/bin/sh", "-c"))}
            ),
            mock.patch.object(block, "SETTLE_SECONDS", 0),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def bench(self, way: str) -> reduce.Bench:
        path = Path(self.folder.name) / "bench"
        path.mkdir()
        bench = reduce.Bench(path, "host", [way], setup.HOST)
        self.addCleanup(bench.stop)
        return bench

    def test_a_wrong_answer_comes_down_to_its_line(self):
        bench = self.bench("wrong")
        lines = [*NOISE, "ip link show v3", *NOISE[:2]]
        faults = bench.confirmed(lines)
        self.assertEqual([fault.where for fault in faults], ["ip link show v3"])
        self.assertEqual(bench.reduce(lines, faults[0]), ["ip link show v3"])
        self.assertTrue(bench.repeats(["ip link show v3"], faults[0]))

    def test_what_shows_later_comes_down_to_cause_and_effect(self):
        bench = self.bench("wrong")
        lines = [*NOISE, "ip link set n0 alias text", *NOISE[:3], "ip link show n0"]
        shown = [fault for fault in bench.confirmed(lines) if fault.where == "ip link show n0"]
        self.assertEqual(bench.reduce(lines, shown[0]), ["ip link add n0 type ifb", "ip link set n0 alias text", "ip link show n0"])

    def test_a_different_state_comes_down_to_its_lines(self):
        bench = self.bench("wrong")
        lines = [*NOISE[:4], "ip link set v2 alias text", *NOISE[4:]]
        states = [fault for fault in bench.confirmed(lines) if fault.where == "state"]
        self.assertEqual(bench.reduce(lines, states[0]), ["ip link set v2 alias text"])

    def test_the_right_one_has_no_difference(self):
        self.assertEqual(self.bench("nlsh-c").confirmed([*NOISE, "ip link set v2 alias text", "ip link show v3"]), [])

    def test_the_first_pass_finds_each_of_these(self):
        base = Path(self.folder.name) / "first"
        first = quick.Quick(base, ["wrong", "nlsh-c"], setup.HOST)
        self.addCleanup(first.stop)
        self.assertFalse(first.run("wrong", [*NOISE, "ip link show v3"]).equal)
        self.assertFalse(first.run("wrong", ["ip link set v2 alias text", *NOISE]).equal)
        right = first.run("nlsh-c", [*NOISE, "ip link set v2 alias text", "ip link show v3", "ip xfrm state"])
        self.assertEqual((right.equal, right.native, right.fallback), (True, len(NOISE) + 2, 1))

    def test_the_forked_program_is_the_started_one(self):
        """forkserver.c and a started program give the same status, output and errors, also for a usage text, a signal and a shell's words."""
        lines = [
            "ip -V",
            "ip link show nosuch",
            "ip",
            "bridge link help",
            "ip -d link show lo",
            "ip -n nope link",
            "ip netns exec blue ip -V",
        ]
        first = quick.Quick(Path(self.folder.name) / "forked", ["real"], setup.HOST)
        self.addCleanup(first.stop)
        self.assertTrue(first.run("real", lines).equal)


if __name__ == "__main__":
    unittest.main()
