#!/usr/bin/env python3
"""Checks that architecture.md's map names each folder of the product, and no other.

map.py: exits 0, or prints what is wrong and exits 1. The parent's row covers a single object's folder (backend/objects/route …).
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COVERED = {
    "parser/ip",
    "backend",
    "packaging",
    "compat-tests",
    "bench",
    "preload",
    "parser/shell",
    "shim/builds",
    "shim/doctor",
}  # rows that cover the folders below them


def folders():
    files = subprocess.run(
        ["git", "ls-files", "parser", "backend", "shim", "preload"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    return {str(pathlib.PurePath(file).parent) for file in files} - {"shim"}


def main():
    text = (ROOT / "packaging/docs/architecture.md").read_text()
    table = text[text.index("## Map") : text.index("Includes go one way")]
    cells = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    named = {folder for cell in cells for folder in re.findall(r"`([a-z/-]+)`", cell)}
    wrong = [f"{folder}: in the map, and not there" for folder in sorted(named) if not (ROOT / folder).is_dir()]
    for folder in sorted(folders() - named):
        if not any(folder.startswith(parent + "/") for parent in COVERED & named):
            wrong.append(f"{folder}: not in the map")
    print("\n".join(wrong) or f"{len(named)} rows")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
