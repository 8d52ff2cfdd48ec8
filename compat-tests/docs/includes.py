#!/usr/bin/env python3
"""Includes must go one way: shim -> backend -> parser, and the preload includes only what it shares with shim. Files, and folders of shim
and preload, must not include each other in a circle.

includes.py [ROOT]: exits 0, or prints what is wrong and exits 1.
"""

import pathlib
import re
import sys

# The folders that a folder's sources may include besides their own.
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
TESTS = {"preload/tests/": ("shim/",)}  # tests start a server
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def includes(root):
    """Maps each file to the files that it includes by a path from the root."""
    for folder in ALLOWED:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".c", ".cpp", ".h"):
                named = INCLUDE.findall(path.read_text())
                yield str(path.relative_to(root)), [name for name in named if (root / name).is_file()]


# An object's `words` belong to the parser.
WORDS = re.compile(r"backend/objects/\w+/words/")


def may_include(source, name):
    if WORDS.match(source):
        return name.startswith("parser/") or bool(WORDS.match(name))
    folder = source.split("/")[0]
    tests = [more for tests, also in TESTS.items() if source.startswith(tests) for more in also]
    return name.startswith((folder + "/", *ALLOWED[folder], *tests))


def circle(graph):
    """A circle of includes, or None."""
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
    """The graph between the folders of shim and the preload, without tests."""
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
    # Each allowed include must be used, so that the list above doesn't go stale.
    used = {name for source, names in graph.items() if source.startswith("preload/") for name in names}
    wrong += [f"the preload no longer includes {name}" for name in ALLOWED["preload"] if name not in used]
    print("\n".join(wrong) or f"{len(graph)} files, {sum(map(len, graph.values()))} includes, one way")
    return 1 if wrong or len(graph) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
