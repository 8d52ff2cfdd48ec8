#!/usr/bin/env python3
"""Checks README.md's figures: each time and each ratio in its tables must be a rounded number of bench/report.md."""

import re
import sys
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
UNITS = {"µs": Decimal("1e-6"), "ms": Decimal("1e-3"), "s": Decimal(1), "min": Decimal(60)}
TIME = re.compile(r"(\d+(?:\.\d+)?) (µs|ms|min|s)\b")
RATIO = re.compile(r"\*\*(\d+(?:\.\d+)?)\*\*")


def rounds_to(number: Decimal, figure: str, unit: Decimal = Decimal(1)) -> bool:
    """Whether the number rounds to the figure: it differs by at most half of the last digit's unit."""
    last = Decimal(1).scaleb(-len(figure.partition(".")[2])) * unit
    return abs(number - Decimal(figure) * unit) <= last / 2 * Decimal("1.001")


def main() -> int:
    report = (ROOT / "bench" / "report.md").read_text()
    times = [Decimal(number) * UNITS[unit] for number, unit in TIME.findall(report)]
    ratios = [Decimal(number) for number in RATIO.findall(report)]
    section = (ROOT / "README.md").read_text().split("## How fast", 1)[1].split("\n## ", 1)[0]
    rows = [line for line in section.splitlines() if line.startswith("| ") and "**" in line]
    wrong = []
    for row in rows:
        cells = row.split("|")[2:]
        wrong += [
            f"{row}\n    {number} {unit} isn't in the report"
            for number, unit in TIME.findall("|".join(cells))
            if not any(rounds_to(time, number, UNITS[unit]) for time in times)
        ]
        wrong += [
            f"{row}\n    {number} isn't in the report"
            for number in RATIO.findall(row)
            if not any(rounds_to(ratio, number) for ratio in ratios)
        ]
    print("\n".join([*wrong, f"{len(rows)} rows"]))
    return 1 if wrong or len(rows) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
