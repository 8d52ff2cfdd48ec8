#!/usr/bin/env python3
"""Each source must be in its folder's CMakeLists.txt: an unnamed unit test would never run. CMake finds the objects' sources itself.

sources.py: exits 0, or prints what is missing and exits 1. Programs' sources (main.cpp) are named in other ways or in another list.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    names = subprocess.run(
        ["git", "ls-files", "parser/*.cpp", "backend/*.cpp", "shim/*.cpp", "shim/*.c", "preload/*.c"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    wrong = []
    for name in names:
        if name.startswith("backend/objects/"):
            continue
        lists = [folder / "CMakeLists.txt" for folder in pathlib.PurePath(name).parents if (ROOT / folder / "CMakeLists.txt").is_file()]
        listed = (word for file in lists for word in named(file))
        if name not in listed:
            wrong.append(f"{name}: not in {lists[0]}")
    print("\n".join(wrong) or f"{len(names)} sources")
    return 1 if wrong or len(names) < 100 else 0


def named(file):
    """The sources that a CMakeLists.txt names, as paths from the root."""
    folder = file.parent
    for word in (ROOT / file).read_text().replace("(", " ").replace(")", " ").split():
        if word.endswith((".cpp", ".c")):
            yield str(folder / word)
        elif word.endswith("_fuzz") or word.isidentifier():
            yield str(folder / "fuzz" / f"{word.removesuffix('_fuzz')}_fuzz.cpp")


if __name__ == "__main__":
    sys.exit(main())
