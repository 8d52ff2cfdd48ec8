"""Writes README.md's figures from the results: `bench/run --figures`. The first cell identifies a table's row. Figures without results
stay as they are."""

import dataclasses

from . import report

README = report.BENCH.parent / "README.md"
POPEN = ("plain popen", "nlsh popen", "raw")
EXEC = ("plain", "nlsh")
EXEC_RAW = (*EXEC, "raw")


def short(us):
    """A time in README's form: 2.5 µs, 33 µs, 1.90 ms, 87 ms, 0.35 s, 43 s."""
    if us < 1000:
        return f"{us:.1f} µs" if us < 9.95 else f"{us:.0f} µs"
    for unit, size in (("ms", 1e3), ("s", 1e6)):
        value = us / size
        if value < 100 or unit == "s":
            return f"{value:.2f} {unit}" if value < 9.995 else f"{value:.1f} {unit}" if value < 19.95 else f"{value:.0f} {unit}"
    raise ValueError(us)


def times(ratio):
    return f"**{ratio:.1f}**" if ratio < 9.95 else f"**{ratio:.0f}**"


@dataclasses.dataclass(frozen=True)
class Figure:
    """first: the first cell; ways: a cell for each; ratios: pairs of ways, a cell for each."""

    first: str
    topic: str
    row: str
    ways: tuple[str, ...] = POPEN
    ratios: tuple[tuple[str, str], ...] = (("plain popen", "nlsh popen"),)

    def cells(self, ways):
        found = [short(ways[way]["median"]) for way in self.ways]
        return found + [times(ways[slow]["median"] / ways[fast]["median"]) for slow, fast in self.ratios]


def executed(first, row):
    return Figure(first, "ways", row, EXEC, (EXEC,))


FIGURES = (
    Figure("`ip route replace`", "calls-10", "route replace"),
    Figure("`ip link show X`", "calls-10", "link show"),
    Figure('six commands in `bash -c "… && …"`', "calls-10", "chain of six"),
    Figure("the same with 1000 interfaces", "calls-1000", "chain of six"),
    Figure("a daemon that adds 4000 devices, line by line", "sequence", "4000 devices", EXEC_RAW, (EXEC,)),
    Figure("100 VLANs with two members, SwSS's lines (in User-Mode Linux)", "vlans", "100 VLANs, two members each", EXEC_RAW, (EXEC,)),
    Figure("one more VLAN member among 256 ports (in User-Mode Linux)", "vlan-ports", "256 ports"),
    Figure("`ip route show`, 1,000,000 routes", "shows", "1000000 routes"),
    Figure("`ip addr show`, 4000 links, 16,000 addresses", "shows", "4000 links, 16000 addresses"),
    executed("a dash script", "sh (dash) script"),
    executed("a bash script", "bash script"),
    executed("… with the builtin", "bash script, builtin"),
    executed("Python's `subprocess`", "Python subprocess"),
    executed("`make`", "make"),
    executed("`posix_spawn`", "posix_spawn"),
)


def measured():
    """{first cell: cells} of all figures that have results."""
    found = {}
    for figure in FIGURES:
        path = report.results(False) / f"{figure.topic}.json"
        if not path.exists():
            continue
        rows = {row["name"]: row["ways"] for row in report.read(path)["rows"]}
        if figure.row in rows:
            found[figure.first] = figure.cells(rows[figure.row])
    return found


def filled(text, cells):
    """The text with these cells in its tables' rows, and the rows that it lacks."""
    lines, missing = text.splitlines(keepends=True), set(cells)
    for number, line in enumerate(lines):
        first = line.removeprefix("| ").partition(" | ")[0]
        if line.startswith("| ") and first in cells:
            lines[number] = f"| {' | '.join([first, *cells[first]])} |\n"
            missing.discard(first)
    return "".join(lines), missing


def write():
    """Writes README's tables; returns the first cells that README lacks."""
    text, missing = filled(README.read_text(encoding="utf-8"), measured())
    README.write_text(text, encoding="utf-8")
    return sorted(missing)
