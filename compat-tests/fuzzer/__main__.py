"""Differential fuzzing: command lines from a grammar, in the real iproute2 and in nlsh; every difference is a bug.

fuzz [--seed N] [--seconds S | --blocks N] [--ways …] [--guest]. The same seed gives the same blocks: one in BATCHES is of batches
through the shim, the others are of lines by the ways. A difference is printed with the fewest lines that show it; the status is 1
then. In the guest (`runner exec`) use --guest.
"""

import argparse
import collections
import re
import sys
import tempfile
import threading
import time
from pathlib import Path

from runner import build, verdict
from runner.verdict import Verdict

from . import grammar, reduce, setup
from .values import Chance

LINES = 40
BATCHES = 6
BATCH_LINES = 8


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="as many blocks as fit into that time")
    parser.add_argument("--blocks", type=int, default=100, help="without --seconds (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first block")
    parser.add_argument("--ways", default="preload-popen")
    parser.add_argument("--guest", action="store_true", help="the kernel has VLANs, VRFs and VLAN filtering")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--print", action="store_true", help="print the blocks, run nothing")
    return parser.parse_args()


def is_batch(number: int) -> bool:
    return number % BATCHES == BATCHES - 1


def lines_of(seed: int, number: int) -> list[str]:
    chance = Chance(f"{seed}/{number}")
    if is_batch(number):
        return [grammar.batch(chance) for _ in range(BATCH_LINES)]
    return [grammar.line(chance) for _ in range(LINES)]


def commands(lines: list[str]) -> int:
    return sum(max(line.count("\n") - 1, 1) for line in lines)


def _signature(fault: Verdict) -> str:
    """Differences of one cause look alike: object and what differs, without numbers."""
    words = [word for word in fault.where.split() if not word.startswith("-")]
    changes = [line for line in fault.detail.split("\n") if line[:1] in "+-" and line[:3] not in ("---", "+++")]
    return " ".join(words[:3]) + re.sub(r"[0-9a-f:.]+", "#", "".join(changes)[:200])


class Hunt:
    """What all threads share: the next block's number, and what was found."""

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
        self.ways = arguments.ways.split(",")

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
        """Seen twice, but not each time: the kernel's own times (a carrier, a link-local address)."""
        with self.lock:
            self.chances += 1
            print(f"\nby chance [{fault.way}] block {number} of seed {self.arguments.seed}: {fault.where}", flush=True)

    def run_block(self, bench: reduce.Bench, number: int):
        lines = lines_of(self.arguments.seed, number)
        bench.choose(["shim"] if is_batch(number) else self.ways)
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

    def work(self, path: Path):
        base = setup.HOST + (setup.GUEST if self.arguments.guest else "")
        path.mkdir()
        bench = reduce.Bench(path, "guest" if self.arguments.guest else "host", sorted({*self.ways, "shim"}), base)
        try:
            while (number := self.take()) is not None:
                self.run_block(bench, number)
        finally:
            bench.stop()


def main() -> int:
    arguments = _arguments()
    if arguments.print:
        for number in range(arguments.first, arguments.first + arguments.blocks):
            print("\n".join(lines_of(arguments.seed, number)))
        return 0
    build.tools()
    hunt = Hunt(arguments)
    with tempfile.TemporaryDirectory(prefix="nlsh-fuzz-") as path:
        threads = [threading.Thread(target=hunt.work, args=(Path(path) / str(job),)) for job in range(arguments.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(f"\n{hunt.next - arguments.first} blocks of seed {arguments.seed}, {hunt.commands} commands, {hunt.faults} differences, "
          f"{hunt.chances} by chance")
    for name, count in sorted(hunt.counts.items()):
        print(f"{count:8} {name}")
    return 1 if hunt.faults else 0


if __name__ == "__main__":
    sys.exit(main())
