"""Runs generated blocks through twins, separates faults from noise, and reduces a failing block to few lines."""

import shlex
from pathlib import Path

from runner import block as block_module
from runner import state, verdict
from runner.scenario import Block, Line
from runner.verdict import Verdict
from runner.ways import MORE_WAYS, NEEDS_SHELL, REFERENCE, WAYS, Folder, Twin

TRIALS = 40
REPEATS = 3
# State that the kernel's timers change within a block.
MASKS = ["neigh-state", "counters", "groups-joined", "unordered"]


def make_block(title: str, setup: str, lines: list[str]) -> Block:
    numbered = [Line(setup, 0, setup=True)]
    numbered += [Line(text, number) for number, text in enumerate(lines, 1)]
    return Block("fuzz", title, masks=MASKS, once_masks=["carrier"], lines=numbered)


class QuickReference(Twin):
    """Runs a single command without a shell: the shell would cost as much as the command."""

    def send(self, line: str):
        if NEEDS_SHELL.search(line):
            super().send(line)
        else:
            self.worker.send_words(*shlex.split(line))


class Bench:
    """A reference twin, a second one to detect random differences, and nlsh's twins."""

    def __init__(self, path: Path, lane: str, ways: list[str], setup: str, unknown: dict[str, str] | None = None):
        folder = Folder(path)
        folder.unknown = unknown or {}
        self.lane, self.setup = lane, setup
        self.reader = state.Reader(path)
        self.reference, self.again = QuickReference(REFERENCE, folder), QuickReference(REFERENCE, folder)
        self.all = {name: Twin((WAYS | MORE_WAYS)[name], folder) for name in ways}
        self.twins = list(self.all.values())

    def choose(self, ways: list[str]):
        """Sets the ways that later blocks run by."""
        self.twins = [self.all[name] for name in ways]

    def stop(self):
        for twin in (self.reference, self.again, *self.all.values()):
            twin.worker.stop()

    def verdicts(self, lines: list[str], twins: list[Twin] | None = None) -> list[Verdict]:
        return block_module.run(
            make_block("a fuzzed block", self.setup, lines), self.lane, self.reference, twins or self.twins, self.reader
        )

    def faults(self, lines: list[str]) -> list[Verdict]:
        return [entry for entry in self.verdicts(lines) if entry.verdict == verdict.DIFFERENT]

    def confirmed(self, lines: list[str]) -> list[Verdict]:
        """The differences that occur twice, and don't occur between two runs of iproute2."""
        found = self.faults(lines)
        if not found:
            return []
        noise = {(entry.where, entry.number) for entry in self.verdicts(lines, [self.again]) if entry.verdict == verdict.DIFFERENT}
        again = {(entry.way, entry.where, entry.number) for entry in self.faults(lines)}
        return [entry for entry in found if (entry.where, entry.number) not in noise and (entry.way, entry.where, entry.number) in again]

    def repeats(self, lines: list[str], fault: Verdict) -> bool:
        """Whether these lines differ in each run, and two runs of iproute2 never differ."""
        return all(
            any(entry.where == fault.where for entry in self.faults(lines))
            and not any(entry.where == fault.where and entry.verdict == verdict.DIFFERENT for entry in self.verdicts(lines, [self.again]))
            for _ in range(REPEATS)
        )

    def reduce(self, lines: list[str], fault: Verdict) -> list[str]:
        """Few lines that still differ at the same line, or in the state.

        Leaves out a half of the lines, a quarter and so on, for at most TRIALS attempts."""
        kept, last = (lines[: fault.number - 1], lines[fault.number - 1 : fault.number]) if fault.number else (list(lines), [])
        trials, size = TRIALS, max(len(kept) // 2, 1)
        while size and trials:
            start = 0
            while start < len(kept) and trials:
                fewer = kept[:start] + kept[start + size :]
                trials -= 1
                if any(entry.where == fault.where for entry in self.faults(fewer + last)):
                    kept = fewer
                else:
                    start += size
            size //= 2
        return kept + last
