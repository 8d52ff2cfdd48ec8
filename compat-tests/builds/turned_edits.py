"""What a row of the table of turned builds is made of: edits of what the real one prints (edited.c)."""

import os
import re
import subprocess
from dataclasses import dataclass

REAL = {tool: f"/usr/sbin/{tool}" if os.path.exists(f"/usr/sbin/{tool}") else f"/sbin/{tool}" for tool in ("ip", "bridge")}
RELEASE = tuple(
    map(int, re.findall(r"\d+", subprocess.run([REAL["ip"], "-V"], capture_output=True, text=True).stdout.split("iproute2-")[1])[:2])
)


@dataclass
class Turned:
    trait: str
    edits: list  # the first one's tool is asked
    native: tuple = ()  # lines that nlsh answers as this build does
    left: tuple = ()  # lines that fall back
    now: str = "yes"  # what the build answers: yes, no, open (it contradicts itself), none (it isn't asked)
    constants: str = ""  # what its file has, too
    edits_6_1: bool = False  # of 6.1.0's texts alone


def out(pattern, replacement, when="", tool="ip"):
    return tool, f"out\t{when}\t{pattern}\t{replacement}".replace("\n", "\\n")


def says(when, status, text, tool="ip"):
    return tool, f"says\t{when}\t{status}\t{text}"


def in_help(when, word, tool="ip"):
    """The word is in a usage text."""
    return out("^Usage: ", f"Usage: [ {word} ] ", when=f"{when}.*help|help.*{when}", tool=tool)


def unknown(what, word, tool="ip", of="", status=255):
    """What builds say that have no such object or verb."""
    return says(f"(^| ){word}( |$)", status, f'{what} "{word}" is unknown, try "{tool}{of} help".\\n', tool)


def without(when, words):
    """The real one isn't given the words, which match a regular expression."""
    return "ip", f"words\t{when}\t ({words})\t"


def fields(after, text, added, tool="ip", when=""):
    """What follows a field that a show has: as text, as JSON, and as JSON over several lines. `after` and `text`: that field's key and
    value as regular expressions (its value in JSON is any word); `added`: keys, values as text and in JSON."""

    def joined(pattern):
        return "".join(pattern.format(*each) for each in added)

    return [
        out(rf"( {after} {text} )", r"\1" + joined("{0} {1} "), when, tool),
        out(rf'("{after}":[a-z0-9.]+)', r"\1" + joined(',"{0}":{2}'), when, tool),
        out(rf'(\n *)("{after}": [a-z0-9.]+)', r"\1\2" + joined(r',\1"{0}": {2}'), when, tool),
    ]


def forms(command, words):
    """A show as text, as JSON, and as JSON over several lines."""
    return tuple(f"{command} {json}{words}" for json in ("", "-j ", "-j -p "))
