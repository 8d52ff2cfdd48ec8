"""Scenario files: blocks of command lines with directives (README.md of compat-tests has the format)."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from . import masks


@dataclass
class Line:
    text: str
    number: int
    setup: bool = False
    deviation: str | None = None


@dataclass
class Block:
    file: str
    title: str
    needs: list[str] = field(default_factory=list)
    lane: str | None = None
    link_local: bool = False
    masks: list[str] = field(default_factory=list)
    once_masks: list[str] = field(default_factory=list)  # for lines that can't be asked again, too
    lines: list[Line] = field(default_factory=list)
    wanted: bool = True  # of this version of iproute2

    @property
    def name(self) -> str:
        return f"{self.file}: {self.title}"

    @property
    def wants_guest(self) -> bool:
        return self.lane == "guest" or bool(self.needs)


_VERSION = re.compile(r"\d+\.\d+")


class ScenarioError(Exception):
    pass


class _Reader:
    def __init__(self, path: Path, version: tuple[int, ...] | None):
        self.path = path
        self.version = version  # of iproute2; None: everything is wanted
        self.line_wanted = True
        self.blocks: list[Block] = []
        self.setup = False
        self.deviation: str | None = None
        self.then: list[str] = []  # the lines that follow each line
        self.then_is_used = False
        self.words: list[str] = []  # of `for`
        self.loop: list[tuple[int, str]] = []  # the numbers and texts of the lines in it

    def fail(self, number: int, what: str):
        raise ScenarioError(f"{self.path.name}:{number}: {what}")

    def title(self, number: int, title: str):
        if any(block.title == title for block in self.blocks):
            self.fail(number, f"a second block called {title!r}")
        self.end()
        self.blocks.append(Block(self.path.stem, title))
        self.left_out = 0  # lines of the block
        self.setup = False

    def directive(self, number: int, text: str):
        word, _, rest = text.partition(" ")
        rest = rest.strip()
        block = self.blocks[-1]
        if self.words and word not in ("for", "end"):
            self.fail(number, f"{word!r} before the end of `for`")
        elif word == "needs":
            block.needs += rest.replace(",", " ").split()
        elif word == "lane" and rest in ("guest", "host"):
            block.lane = rest
        elif word == "mask":
            for name in rest.replace(",", " ").split():
                if name in masks.ALWAYS:
                    continue  # said for the reader
                if name not in masks.OPTIONAL:
                    self.fail(number, f"no mask called {name!r} in masks.py")
                block.masks.append(name)
        elif word == "deviation" and rest:
            self.deviation = rest
        elif word in ("since", "until") and _VERSION.fullmatch(rest):
            self.versions(block, self.wanted(word, rest))
        elif word == "link-local" and not rest:
            block.link_local = True
        elif word == "setup":
            self.setup = True
            block.lines += self.setup_of(number, rest) if rest else []
        elif word == "test" and not rest:
            self.setup = False
        elif word == "then" and rest:
            self.then = [rest] if self.then_is_used else [*self.then, rest]
            self.then_is_used = False
        elif word == "for" and rest:
            if self.loop:
                self.end()
            self.words += [each.strip() for each in rest.split(",")]
        elif word == "end" and not rest:
            self.end()
        else:
            self.fail(number, f"unknown directive {text!r}")

    def setup_of(self, number: int, title: str) -> list[Line]:
        """The set-up of an earlier block."""
        for block in self.blocks[:-1]:
            if block.title == title:
                return [line for line in block.lines if line.setup]
        self.fail(number, f"no earlier block called {title!r}")

    def end(self):
        """Ends `then` and `for`."""
        words, self.words = self.words, []
        for word in words:
            for number, text in self.loop:
                self.line(number, text.replace("{}", word))
        self.loop, self.then = [], []

    def filled(self, number: int, template: str, line: str) -> str:
        """The template with $4 replaced by the line's fourth word, and so on."""
        words = line.split()
        try:
            return re.sub(r"\$(\d+)", lambda place: words[int(place[1]) - 1], template)
        except IndexError:
            self.fail(number, f"too few words for {template!r}")

    def wanted(self, word: str, version: str) -> bool:
        if self.version is None:
            return True
        newer = self.version >= tuple(map(int, version.split(".")))
        return newer == (word == "since")

    def versions(self, block: Block, wanted: bool):
        """Before a block's first line: of the block; else of the line that follows."""
        if block.lines or self.left_out:
            self.line_wanted &= wanted
        else:
            block.wanted &= wanted

    def line(self, number: int, text: str):
        if self.words:
            self.loop.append((number, text))
            return
        self.then_is_used = True
        if self.line_wanted:
            followers = [Line(self.filled(number, each, text), number, self.setup) for each in self.then]
            self.blocks[-1].lines += [Line(text, number, self.setup, self.deviation), *followers]
        else:
            self.left_out += 1
        self.line_wanted, self.deviation = True, None

    def read(self) -> list[Block]:
        for number, text in enumerate(self.path.read_text().split("\n"), 1):
            if text.startswith("## "):
                self.title(number, text[3:].strip())
            elif not text.strip() or (text.startswith("#") and not text.startswith("#:")):
                continue
            elif not self.blocks:
                self.fail(number, "a line before the first block's title")
            elif text.startswith("#:"):
                self.directive(number, text[2:].strip())
            else:
                self.line(number, text)
        self.end()
        return [block for block in self.blocks if block.wanted]


def read(path: Path, version: tuple[int, ...] | None = None) -> list[Block]:
    """The blocks and lines that mean something to that version of iproute2: (6, 15). None: all."""
    return _Reader(path, version).read()
