#!/usr/bin/env python3
"""Checks SECURITY.md: each promise has a source and a test, and every file, test and variable that it names exists."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SAFETY = ROOT / "compat-tests" / "safety"
MODULES = (SAFETY, ROOT / "preload" / "tests")


def promises(text: str) -> list[list[str]]:
    section = text.split("## What is promised", 1)[1].split("\n## ", 1)[0]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in section.splitlines() if line.startswith("| ")]
    return [row for row in rows if row[0] != "promise"]


def names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def is_there(name: str, files: set[str]) -> bool:
    """Whether the name is a file (by the end of its path), a test module, its class or test, a variable, or a command with options."""
    if match := re.fullmatch(r"(\w+_test)(?:\.([A-Z]\w+))?(?:\.(test_\w+))?", name):
        module = next((path for folder in MODULES if (path := folder / f"{match[1]}.py").exists()), None)
        if module is None:
            return not match[2] and not match[3] and any(Path(file).stem == match[1] for file in files)
        text = module.read_text()
        return (not match[2] or f"class {match[2]}(" in text) and (not match[3] or f"def {match[3]}(" in text)
    if match := re.fullmatch(r"(NLSH_[A-Z]+)(=.*)?", name):
        return any(f'"{match[1]}"' in path.read_text() for path in SAFETY.glob("*.py"))
    path = name.split()[0].rstrip("/")
    return (ROOT / path).exists() or any(file.endswith("/" + path) for file in files)


def main() -> int:
    files = set(subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines())
    rows = promises((ROOT / "SECURITY.md").read_text())
    wrong = [f"not three cells: {row}" for row in rows if len(row) != 3]
    for promise, place, test in (row for row in rows if len(row) == 3):
        if not names(place) or not names(test):
            wrong.append(f"no place or no test: {promise[:60]}")
        wrong += [f"not there: {name} ({promise[:60]})" for name in names(place) + names(test) if not is_there(name, files)]
    print("\n".join([*wrong, f"{len(rows)} promises"]))
    return 1 if wrong or len(rows) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
