"""A selftest's result: its lines with a verdict, and its exit status."""

import re
from dataclasses import dataclass

_VERDICT = re.compile(r"^(?P<name>.*?)\s*\[\s*(?P<word>OK|PASS|FAIL|SKIP|XFAIL|XPASS)\s*\]\s*$")
_WORD_FIRST = re.compile(r"^(?P<word>PASS|FAIL|SKIP|XFAIL|OK)\s*:\s*(?P<name>.*?)\s*$")

_UUID = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")  # differs in each run


@dataclass(frozen=True)
class Verdict:
    name: str
    word: str

    @property
    def passed(self) -> bool:
        return self.word in ("OK", "PASS", "0")

    @property
    def skipped(self) -> bool:
        """The suites exit with 4 if a test can't run."""
        return self.word in ("SKIP", "4")


def read(output: str, status: int) -> list[Verdict]:
    """The verdicts in order; the last one is the exit status."""
    found = []
    for line in output.splitlines():
        match = _VERDICT.match(line) or _WORD_FIRST.match(line)
        if match:
            found.append(Verdict(_UUID.sub("UUID", " ".join(match["name"].split())), match["word"]))
    return [*found, Verdict("exit status", str(status))]


def compare(real: list[Verdict], ours: list[Verdict]) -> list[tuple[Verdict, Verdict | None]]:
    """Pairs of verdicts by name and occurrence, in the real tools' order."""
    left: dict[str, list[Verdict]] = {}
    for verdict in ours:
        left.setdefault(verdict.name, []).append(verdict)
    return [(verdict, left[verdict.name].pop(0) if left.get(verdict.name) else None) for verdict in real]
