"""Differential fuzzing: runs command lines from a grammar by the real iproute2 and by nlsh; every difference is a bug.

fuzz [--seed N] [--seconds S | --blocks N] [--ways …] [--guest]. The same seed gives the same blocks. The blocks take turns through the
ways (TURNS); the shim gets batches. --quick runs long blocks, all lines at once (quick.py). For a difference, it prints the fewest lines
that show the difference, and the status is 1. --guest runs it in User-Mode Linux, which has link kinds that the machine may lack.
"""

import argparse
import collections
import re
import sys
import tempfile
import threading
import time
from pathlib import Path

from runner import build, groups, paths, unknown, verdict
from runner.guest import Guest, GuestError
from runner.verdict import Verdict

from . import grammar, quick, reduce, setup
from .values import Chance

LINES = 40
LONG = 5  # --quick's blocks are so many times longer
TURNS = ("preload-popen", "nlsh-c", "preload-popen", "preload-system", "preload-inproc", "shim")
BATCH_LINES = 8
GUEST_SECONDS = 300  # extra time of a guest: for its boot, its last block and the reductions


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="as many blocks as fit into that time")
    parser.add_argument("--blocks", type=int, default=100, help="without --seconds (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first block")
    parser.add_argument("--ways", help="instead of a way by turns")
    parser.add_argument("--guest", action="store_true", help="in User-Mode Linux: VLANs, VRFs, bonds, tunnels, MPLS")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="blocks of 200 lines, those that differ line by line")
    parser.add_argument("--unknown", action="store_true", help="as a build that only `nlsh qualify` knows")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--print", action="store_true", help="print the blocks, run nothing")
    return parser.parse_args()


def is_batch(number: int) -> bool:
    return TURNS[number % len(TURNS)] == "shim"


def lines_of(seed: int, number: int, times: int = 1) -> list[str]:
    chance = Chance(f"{seed}/{number}")
    if is_batch(number):
        return [grammar.batch(chance) for _ in range(BATCH_LINES * times)]
    return [grammar.line(chance) for _ in range(LINES * times)]


def commands(lines: list[str]) -> int:
    return sum(max(line.count("\n") - 1, 1) for line in lines)


def _signature(fault: Verdict) -> str:
    """The object and the kind of difference, without numbers: the same for differences with one cause."""
    words = [word for word in fault.where.split() if not word.startswith("-")]
    changes = [line for line in fault.detail.split("\n") if line[:1] in "+-" and line[:3] not in ("---", "+++")]
    return " ".join(words[:3]) + re.sub(r"[0-9a-f:.]+", "#", "".join(changes)[:200])


class Hunt:
    """What all threads share: the next block's number, and the findings."""

    def __init__(self, arguments: argparse.Namespace):
        self.arguments = arguments
        self.lock = threading.Lock()
        self.next = arguments.first
        self.end = time.monotonic() + arguments.seconds if arguments.seconds else None
        self.seen: set[str] = set()
        self.counts: collections.Counter = collections.Counter()
        self.faults = 0
        self.chances = 0
        self.commands = 0
        self.ways = arguments.ways.split(",") if arguments.ways else []

    def way(self, number: int) -> str:
        turns = self.ways if self.ways and self.arguments.quick else TURNS
        return turns[number % len(turns)]

    def take(self) -> int | None:
        with self.lock:
            if self.end is None and self.next >= self.arguments.first + self.arguments.blocks:
                return None
            if self.end is not None and time.monotonic() > self.end:
                return None
            self.next += 1
            return self.next - 1

    def is_new(self, fault: Verdict) -> bool:
        with self.lock:
            signature = _signature(fault)
            new = signature not in self.seen
            self.seen.add(signature)
            return new

    def report(self, number: int, fault: Verdict, lines: list[str]):
        with self.lock:
            self.faults += 1
            print(f"\nDIFFERENT [{fault.way}] block {number} of seed {self.arguments.seed}: {fault.where}")
            print("".join(f"    | {line}\n" for line in lines) + "    " + fault.detail.replace("\n", "\n    "), flush=True)

    def note(self, number: int, fault: Verdict):
        """Notes a difference that occurred twice, but not in each run: the kernel's timing (a carrier, a link-local address)."""
        with self.lock:
            self.chances += 1
            print(f"\nby chance [{fault.way}] block {number} of seed {self.arguments.seed}: {fault.where}", flush=True)

    def is_equal_at_once(self, first: quick.Quick, number: int, lines: list[str]) -> bool:
        found = first.run(self.way(number), lines)
        if found.equal:
            with self.lock:
                self.commands += commands(lines)
                self.counts.update({"at-once: native": found.native, "at-once: fallback": found.fallback})
        return found.equal

    def run_block(self, bench: reduce.Bench, number: int, first: quick.Quick | None = None):
        lines = lines_of(self.arguments.seed, number, LONG if first else 1)
        if first and any(self.is_equal_at_once(first, number, lines) for _ in range(2)):
            return
        bench.choose(self.ways if self.ways and not first and not is_batch(number) else [self.way(number)])
        verdicts = bench.verdicts(lines)
        with self.lock:
            self.commands += commands(lines)
            self.counts.update(f"{entry.way}: {entry.verdict}" for entry in verdicts)
        if not any(entry.verdict == verdict.DIFFERENT for entry in verdicts):
            return
        for fault in bench.confirmed(lines):
            if self.is_new(fault):
                fewest = bench.reduce(lines, fault)
                if bench.repeats(fewest, fault):
                    self.report(number, fault, fewest)
                else:
                    self.note(number, fault)

    def work(self, path: Path, tools: dict[str, str] | None):
        base = setup.HOST + (setup.GUEST if self.arguments.guest else "")
        path.mkdir()
        bench = reduce.Bench(
            path,
            "guest" if self.arguments.guest else "host",
            sorted({*self.ways, "shim"} if self.ways else set(TURNS)),
            base,
            tools,
        )
        ways = sorted(set(self.ways or TURNS))
        first = quick.Quick(path / "quick", ways, base, tools) if self.arguments.quick else None
        try:
            while (number := self.take()) is not None:
                self.run_block(bench, number, first)
        finally:
            bench.stop()
            if first:
                first.stop()


def in_guest(arguments: argparse.Namespace) -> int:
    """Runs the fuzzer in a guest, which has one processor."""
    groups.end_with_runner()
    guest = Guest(["/usr/bin/python3", "-B", "-m", "fuzzer", *sys.argv[1:], "--inside", "--jobs", "1"], paths.TESTS)
    try:
        status = guest.wait((arguments.seconds or arguments.blocks * GUEST_SECONDS) + GUEST_SECONDS)
    except GuestError as error:
        print(error, file=sys.stderr)
        return 2
    for stream, name in ((sys.stdout, "stdout"), (sys.stderr, "stderr")):
        stream.write((guest.output / name).read_text(errors="replace"))
    return status


def main() -> int:
    arguments = _arguments()
    if arguments.print:
        for number in range(arguments.first, arguments.first + arguments.blocks):
            print("\n".join(lines_of(arguments.seed, number)))
        return 0
    build.tools()
    if arguments.guest and not arguments.inside:
        return in_guest(arguments)
    hunt = Hunt(arguments)
    with tempfile.TemporaryDirectory(prefix="nlsh-fuzz-") as path:
        known_by_qualify = unknown.qualified(Path(path) / "unknown") if arguments.unknown else None
        threads = [threading.Thread(target=hunt.work, args=(Path(path) / str(job), known_by_qualify)) for job in range(arguments.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(
        f"\n{hunt.next - arguments.first} blocks of seed {arguments.seed}, {hunt.commands} commands, {hunt.faults} differences, "
        f"{hunt.chances} by chance"
    )
    for name, count in sorted(hunt.counts.items()):
        print(f"{count:8} {name}")
    return 1 if hunt.faults else 0


if __name__ == "__main__":
    sys.exit(main())
