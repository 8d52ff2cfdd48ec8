"""Runs generated blocks through twins, tells faults from noise, and reduces a failing block to its least lines."""

from pathlib import Path

from runner import block as block_module
from runner import state, verdict
from runner.scenario import Block, Line
from runner.verdict import Verdict
from runner.ways import REFERENCE, WAYS, Folder, Twin

# What the kernel's timers move on their own within a block.
MASKS = ["neigh-state", "counters", "unordered"]


def make_block(title: str, setup: list[str], lines: list[str]) -> Block:
    numbered = [Line(text, 0, setup=True) for text in setup]
    numbered += [Line(text, number) for number, text in enumerate(lines, 1)]
    return Block("fuzz", title, masks=MASKS, lines=numbered)


class Bench:
    """A reference twin, a second one for what differs by chance, and nlsh's twins."""

    def __init__(self, path: Path, lane: str, ways: list[str], setup: list[str]):
        folder = Folder(path)
        self.lane, self.setup = lane, setup
        self.reader = state.Reader(path)
        self.reference, self.again = Twin(REFERENCE, folder), Twin(REFERENCE, folder)
        self.twins = [Twin(WAYS[name], folder) for name in ways]

    def stop(self):
        for twin in (self.reference, self.again, *self.twins):
            twin.worker.stop()

    def verdicts(self, lines: list[str], twins: list[Twin] | None = None) -> list[Verdict]:
        return block_module.run(make_block("a fuzzed block", self.setup, lines), self.lane, self.reference,
                                twins or self.twins, self.reader)

    def faults(self, lines: list[str]) -> list[Verdict]:
        return [entry for entry in self.verdicts(lines) if entry.verdict == verdict.DIFFERENT]

    def confirmed(self, lines: list[str]) -> list[Verdict]:
        """What differs twice, and doesn't between two runs of iproute2."""
        found = self.faults(lines)
        if not found:
            return []
        noise = {(entry.where, entry.number) for entry in self.verdicts(lines, [self.again])
                 if entry.verdict == verdict.DIFFERENT}
        again = {(entry.way, entry.where, entry.number) for entry in self.faults(lines)}
        return [entry for entry in found
                if (entry.where, entry.number) not in noise and (entry.way, entry.where, entry.number) in again]

    def reduce(self, lines: list[str], fault: Verdict) -> list[str]:
        """The fewest lines that still show a difference at the same line, or in the state."""
        kept = lines[:fault.number] if fault.number else list(lines)
        for text in reversed(list(kept[:-1] if fault.number else kept)):
            fewer = list(kept)
            fewer.remove(text)
            if fewer and any(entry.where == fault.where for entry in self.faults(fewer)):
                kept = fewer
        return kept
