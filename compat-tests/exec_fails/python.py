"""Prints the exceptions of failed execs by subprocess, in the child of a vfork and of a fork."""

import subprocess
import sys

FOLDER = sys.argv[1]
WORDS = {
    "no file": ["ip", "link"],
    "no file by its path": ["/usr/sbin/ip", "link"],
    "a large word": ["ip", "link", "show", "x" * 140_000],
    "many words": ["ip", *["x"] * 700_000],
    "the shell, a large line": ["sh", "-c", "ip link show " + "x" * 140_000],
}
for kind in ("closed", "script", "loop", "folder", "nothing"):
    WORDS[kind] = [f"{FOLDER}/{kind}/ip", "link"]
    WORDS[kind + ", a shell"] = [f"{FOLDER}/{kind}/sh", "-c", "ip link set lo up"]
for name, words in WORDS.items():
    for way, options in {"vfork": {}, "fork": {"preexec_fn": lambda: None}}.items():
        try:
            print(name, way, subprocess.run(words, capture_output=True, check=False, **options))
        except OSError as error:
            print(name, way, type(error).__name__, error.errno)
