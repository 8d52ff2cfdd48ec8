"""Totals, the JSON results and the ratchet."""

import collections
import dataclasses
import json
from pathlib import Path

from . import paths, verdict
from .verdict import Verdict

# What the kernel under test lacks isn't a fault of the tree.
_EXCUSED = ("needs ", "libnl crashed")
_HARNESS = "harness: "


def failed(entry: Verdict) -> bool:
    if entry.verdict == verdict.DIFFERENT:
        return True
    return entry.verdict == verdict.COULD_NOT_RUN and not entry.detail.startswith(_EXCUSED)


def harness_fault(why: object) -> str:
    return f"{_HARNESS}{why}"


def unanswered(entry: Verdict) -> bool:
    """Not nlsh failed here, but the harness or the machine."""
    return entry.verdict == verdict.COULD_NOT_RUN and entry.detail.startswith(_HARNESS)


def totals(verdicts: list[Verdict]) -> dict[str, collections.Counter]:
    by_way: dict[str, collections.Counter] = {}
    for entry in verdicts:
        by_way.setdefault(entry.way, collections.Counter())[entry.verdict] += 1
    return by_way


def _show_totals(verdicts: list[Verdict]):
    by_way = totals(verdicts)
    width = max((len(way) for way in by_way), default=0)
    print(" " * width, *(f"{name:>{max(9, len(name))}}" for name in verdict.ALL), sep="  ")
    for way, counter in by_way.items():
        print(f"{way:{width}}", *(f"{counter[name]:>{max(9, len(name))}}" for name in verdict.ALL), sep="  ")


def _show_reasons(verdicts: list[Verdict]):
    reasons = collections.Counter(entry.detail.split("\n")[0] for entry in verdicts if entry.verdict == verdict.COULD_NOT_RUN)
    for reason, count in reasons.most_common():
        print(f"  could not run {count}: {reason}")


def _show_failures(verdicts: list[Verdict], limit: int):
    failures = [entry for entry in verdicts if failed(entry)]
    for entry in failures[:limit]:
        print(f"\n{entry.verdict.upper()} [{entry.lane} {entry.way}] {entry.block}, line {entry.number}")
        print(f"  {entry.where}")
        for line in entry.detail.split("\n"):
            print(f"    {line}")
    if len(failures) > limit:
        print(f"\n… and {len(failures) - limit} more; see the JSON file")


def show(verdicts: list[Verdict], limit: int):
    _show_failures(verdicts, limit)
    blocks = {entry.block for entry in verdicts}
    print(f"\n{len(blocks)} blocks, {len(verdicts)} comparisons")
    _show_totals(verdicts)
    _show_reasons(verdicts)


def write(path: Path, verdicts: list[Verdict]):
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"totals": totals(verdicts), "verdicts": [dataclasses.asdict(entry) for entry in verdicts]}
    path.write_text(json.dumps(content, indent=1) + "\n")


def read(path: Path) -> list[Verdict]:
    return [Verdict(**entry) for entry in json.loads(path.read_text())["verdicts"]]


def _counts(verdicts: list[Verdict]) -> dict[str, dict[str, int]]:
    return {
        way: {"proven": counter[verdict.IDENTICAL] + counter[verdict.MASKED], "could not run": counter[verdict.COULD_NOT_RUN]}
        for way, counter in totals(verdicts).items()
    }


def ratchet(lane: str, verdicts: list[Verdict], update: bool) -> bool:
    """Whether no way proves less than what the ratchet holds; `update` sets what it holds. A kernel that lacks more
    than the one before proves less by what could not run there, and only by that."""
    held = json.loads(paths.RATCHET.read_text()) if paths.RATCHET.exists() else {}
    good = True
    for way, counts in _counts(verdicts).items():
        before = held.setdefault(lane, {}).get(way, counts)
        if update:
            held[lane][way] = counts
            continue
        lacking = max(0, counts["could not run"] - before["could not run"])
        if counts["proven"] + lacking < before["proven"]:
            print(f"ratchet: {lane} {way}: {counts['proven']} identical or masked, {before['proven']} before")
            good = False
    if update:
        paths.RATCHET.write_text(json.dumps(held, indent=1, sort_keys=True) + "\n")
    return good
