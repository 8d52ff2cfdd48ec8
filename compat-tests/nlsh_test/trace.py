"""Reads the calls from a file of NLSH_TRACE (nlsh-preload(7))."""

from pathlib import Path
from typing import NamedTuple


class Call(NamedTuple):
    way: str  # popen, system, exec, spawn, libnlsh, ip, bridge, …
    fate: str  # native or fallback
    status: str
    microseconds: str
    line: str
    reason: str  # the reason of a fallback, or a native call's failure
    by: str = ""  # the way: `server`, `spawned: …`, `real` …

    @property
    def native(self) -> bool:
        return self.fate == "native"


def read(path: str | Path, *ways: str) -> list[Call]:
    """The calls by these ways; without ways, all. Skips an unfinished line."""
    text = Path(path).read_bytes().decode(errors="replace")
    rows = (line.split("\t") for line in text.split("\n")[:-1] if line.count("\t") >= 5)
    calls = (Call(*row[:6], by="\t".join(row[6:])) for row in rows)
    return [call for call in calls if not ways or call.way in ways]


def natives(path: str | Path) -> int:
    return sum(call.native for call in read(path))


def all_native(path: str | Path) -> bool:
    """Whether there were calls, and all were native."""
    calls = read(path)
    return bool(calls) and all(call.native for call in calls)
