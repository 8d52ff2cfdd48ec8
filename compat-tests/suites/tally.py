"""The result of each test by each way: as lines during the run, and as a table for the documents."""

import collections
from dataclasses import dataclass, field
from pathlib import Path

from . import verdicts


@dataclass(frozen=True)
class Run:
    """One test by one way."""

    verdicts: list[verdicts.Verdict]
    calls: collections.Counter = field(default_factory=collections.Counter)
    seconds: float = 0.0
    starved: bool = False  # the host had too few mappings for a process of the guest


def count_calls(trace: Path) -> collections.Counter:
    """native, fallback: the second field of each line of NLSH_TRACE."""
    if not trace.exists():
        return collections.Counter()
    lines = trace.read_text(errors="replace").splitlines()
    return collections.Counter(line.split("\t")[1] if "\t" in line else "?" for line in lines)


def words(calls: collections.Counter) -> str:
    return ", ".join(f"{count} {kind.replace('-', ' ')}" for kind, count in sorted(calls.items(), reverse=True)) or "no calls"


class Tally:
    """Verdicts by test; counts tests that the real tools skip, too, apart and with the suite's reason."""

    def __init__(self):
        self.same = self.total = self.skipped = self.differences = 0
        self.calls: collections.Counter = collections.Counter()
        self.rows: list[str] = []

    def add(self, test: str, way: str, real: Run, ours: Run):
        pairs = verdicts.compare(real.verdicts, ours.verdicts)
        different = [(left, right) for left, right in pairs if right is None or left.word != right.word]
        skipped = [left for left, right in pairs if left.skipped and right is not None and right.skipped]
        total = len(pairs) - len(skipped)
        same = total - len(different)
        passed = sum(1 for left, _ in pairs if left.passed)
        self.same, self.total, self.calls = self.same + same, self.total + total, self.calls + ours.calls
        self.skipped, self.differences = self.skipped + len(skipped), self.differences + len(different)
        apart = f"{len(skipped)} skipped by both; " if skipped else ""
        print(
            f"{same:4} of {total:4}  {test}, by the {way}  (the real one passes {passed}; {apart}{words(ours.calls)}; "
            f"{real.seconds:.1f} s, {ours.seconds:.1f} s)",
            flush=True,
        )
        for verdict in skipped:
            print(f"      skipped  {verdict.name}", flush=True)
        for left, right in different:
            print(f"      DIFFERENT  {left.name}: {left.word}, nlsh: {right.word if right else 'nothing'}", flush=True)
        for name, run in (("real one", real), (way, ours)):
            if run.starved:
                print(f"      the host's vm.max_map_count ended a process of the {name}", flush=True)
        self.rows.append(
            f"| {test} | {way} | {same} of {total} | {passed} | {words(ours.calls)} | {real.seconds:.1f} | "
            f"{ours.seconds:.1f} | {real.seconds / max(ours.seconds, 0.001):.2f} |"
        )

    def table(self) -> str:
        head = "| suite | by | same verdict | the real one passes | calls | real, s | nlsh, s | times faster |\n|---|---|--:|--:|---|--:|--:|--:|\n"
        return head + "\n".join(self.rows) + "\n"

    def summary(self) -> str:
        return f"same verdict {self.same} of {self.total}, skipped by both {self.skipped} ({words(self.calls)})"
