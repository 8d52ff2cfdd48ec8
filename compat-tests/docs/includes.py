#!/usr/bin/env python3
"""Includes go one way: shim -> backend -> parser, and the preload includes only what it shares with shim. No file, and no folder of
shim or preload, includes itself by way of others.

includes.py [ROOT]: 0, or 1 and what is wrong.
"""

import pathlib
import re
import sys

# What a folder's sources may include beside their own folder.
ALLOWED = {
    "parser": (),
    "backend": ("parser/",),
    "shim": ("backend/", "parser/"),
    "preload": (
        "shim/rights/exec_probe.h",
        "shim/rights/exec_rights.h",
        "shim/rights/file_trust.h",
        "shim/wire/wire.h",
        "shim/wire/call.h",
        "shim/wire/append.h",
        "shim/wire/exec_note.h",
        "shim/wire/lapse_file.h",
        "shim/wire/plain_sink.h",
        "shim/wire/root.h",
        "shim/netns/kept_socket.h",
        "shim/inproc/engine_api.h",
    ),
}
TESTS = {"preload/tests/": ("shim/",)}  # a test's server
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def includes(root):
    """The files of each folder, and what they include by a path from the root."""
    for folder in ALLOWED:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".c", ".cpp", ".h"):
                named = INCLUDE.findall(path.read_text())
                yield str(path.relative_to(root)), [name for name in named if (root / name).is_file()]


# Files that read an object's words belong to the parser.
WORDS = re.compile(r"backend/objects/\w+/words/")


def may_include(source, name):
    if WORDS.match(source):
        return name.startswith("parser/") or bool(WORDS.match(name))
    folder = source.split("/")[0]
    tests = [more for tests, also in TESTS.items() if source.startswith(tests) for more in also]
    return name.startswith((folder + "/", *ALLOWED[folder], *tests))


def circle(graph):
    """A path of includes that ends where it began; None: there is none."""
    done = set()

    def walk(name, path):
        if name in path:
            return path[path.index(name) :] + [name]
        if name in done:
            return None
        found = next((hit for more in graph.get(name, ()) if (hit := walk(more, path + [name]))), None)
        done.add(name)
        return found

    return next((hit for name in graph if (hit := walk(name, []))), None)


def folders(graph):
    """The same graph of shim's and the preload's folders, without tests."""
    between = {}
    for source, names in graph.items():
        folder = source.rpartition("/")[0]
        if source.startswith(("shim/", "preload/")) and "_test." not in source and "/tests" not in folder and "/fuzz" not in folder:
            others = {name.rpartition("/")[0] for name in names if name.startswith(("shim/", "preload/"))} - {folder}
            between.setdefault(folder, set()).update(others)
    return between


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    root = root if root.is_dir() else root.parents[2]
    graph = dict(includes(root))
    wrong = [f"{source} includes {name}" for source, names in graph.items() for name in names if not may_include(source, name)]
    for kind in (graph, folders(graph)):
        if round_trip := circle(kind):
            wrong.append("a circle: " + " -> ".join(round_trip))
    # What is allowed is used: the list above doesn't outlive its reasons.
    used = {name for source, names in graph.items() if source.startswith("preload/") for name in names}
    wrong += [f"the preload no longer includes {name}" for name in ALLOWED["preload"] if name not in used]
    print("\n".join(wrong) or f"{len(graph)} files, {sum(map(len, graph.values()))} includes, one way")
    return 1 if wrong or len(graph) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
