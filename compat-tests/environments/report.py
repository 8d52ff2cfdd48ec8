"""Tables from a run's JSON, for the documents.

python3 -m environments.report RESULTS [--write]    status 1: a cell is different
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path

from . import compare
from .columns import COLUMNS, Column

ROOT = Path(__file__).resolve().parents[2]
# The document, and the lines around the table.
DOCUMENT = ROOT / "packaging/docs/containers.md"
BEGIN, END = "<!-- compat-tests/environments/run --write -->", "<!-- end -->"


LETTERS = "abcdefghijklmnopqrstuvwxyz"


def short(reason: str) -> str:
    """The reason without a command's path."""
    return re.sub(r"^command /\S*/", "command ", reason)


def reasons(results: dict) -> dict[str, str]:
    """A letter for each reason for a fallback, the most frequent first."""
    counts = Counter()
    for cells in results["rows"].values():
        for cell in cells.values():
            for reason, count in cell.get("reasons", {}).items():
                counts[short(reason)] += count
    return {reason: LETTERS[index] if index < len(LETTERS) else f"z{index}" for index, (reason, _) in enumerate(counts.most_common())}


def text_of(cell: dict, server: bool, letters: dict[str, str]) -> str:
    if "could_not" in cell:
        return "not run"
    if cell["different"]:
        return "**different**"
    native, fallback = cell.get("native", 0), cell.get("fallback", 0)
    spawned = cell["ways"].get("spawned", 0) if server else 0  # without a server every call is spawned
    how = "" if not spawned else ", spawned" if spawned == native else ", some spawned"
    why = ",".join(sorted({letters[short(reason)] for reason in cell["reasons"]}))
    return share(native, fallback) + (f"<sup>{why}</sup>" if why else "") + how


def share(native: int, fallback: int) -> str:
    """A text such as "all but 1", which fits all columns, though exec by a shell has fewer lines than popen."""
    if not native or not fallback:
        return "all" if native else "none"
    return f"all but {fallback}" if native > fallback else f"{native} of {native + fallback}"


def merged(columns: list[Column], cells: dict, letters: dict[str, str]) -> str:
    """The text of most columns of a group, then each differing column's name and text."""
    names: dict[str, list[str]] = {}
    for column in columns:
        names.setdefault(text_of(cells[column.name], column.server, letters), []).append(column.name)
    usual = max(names, key=lambda text: len(names[text]))
    return "; ".join([usual, *(f"{', '.join(who)}: {text}" for text, who in names.items() if text != usual)])


def write(results: dict) -> None:
    before, _, rest = DOCUMENT.read_text().partition(BEGIN)
    DOCUMENT.write_text(before + BEGIN + "\n" + document(results) + "\n" + END + rest.partition(END)[2])


def document(results: dict) -> str:
    """The table of environments and groups of columns, and the legend of its letters."""
    letters, asked = reasons(results), {column for cells in results["rows"].values() for column in cells}
    groups: dict[str, list[Column]] = {}
    for column in COLUMNS:
        if column.name in asked:
            groups.setdefault(column.group, []).append(column)
    lines = ["| environment | " + " | ".join(groups) + " |", "|---|" + "---|" * len(groups)]
    same: dict[str, list[str]] = {}  # for each row of cells, the environments that have it
    for name, cells in results["rows"].items():
        same.setdefault(" | ".join(merged(columns, cells, letters) for columns in groups.values()), []).append(name)
    lines += [f"| {'; '.join(names)} | {cells} |" for cells, names in same.items()]
    lines += ["", "| | reason for the fallback, as `NLSH_TRACE` has it |", "|---|---|"]
    return "\n".join(lines + [f"| {letter} | {reason} |" for reason, letter in letters.items()])


def grouped(results: dict, name: str) -> dict:
    """Texts of the cells' `name`, each with the cells that have it."""
    found: dict[str, list[str]] = {}
    for row, cells in results["rows"].items():
        for column, cell in cells.items():
            for text in texts_of(cell, name):
                found.setdefault(text, []).append(f"{row} ({column})")
    return found


def texts_of(cell: dict, name: str) -> list[str]:
    if name != "different":
        return [re.sub(r"/tmp\w{8}\b", "/FOLDER", cell[name])] if name in cell else []
    return [f"{each['line']}\n    real {str(each['real'])[:300]}\n    ours {str(each['ours'])[:300]}" for each in cell.get("different", ())]


def main() -> int:
    results = json.loads(Path(sys.argv[1]).read_text())
    text = document(results)
    print(text)
    for name, title in (("could_not", "could not run"), ("server_failed", "no server"), ("different", "different")):
        for found, cells in grouped(results, name).items():
            print(f"{title}: {found}\n    {len(cells)}: {', '.join(cells)}")
    status = int(bool(grouped(results, "different")))
    cells = [cell for row in results["rows"].values() for cell in row.values()]
    print(", ".join(f"{count} {what}" for what, count in compare.summary(cells).items()))
    if "--write" in sys.argv:
        write(results)
    return status


sys.exit(main())
