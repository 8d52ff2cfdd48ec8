"""Scenario files: blocks of command lines with directives (README.md of compat-tests has the format)."""

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

    @property
    def name(self) -> str:
        return f"{self.file}: {self.title}"

    @property
    def wants_guest(self) -> bool:
        return self.lane == "guest" or bool(self.needs)


class ScenarioError(Exception):
    pass


class _Reader:
    def __init__(self, path: Path):
        self.path = path
        self.blocks: list[Block] = []
        self.setup = False
        self.deviation: str | None = None

    def fail(self, number: int, what: str):
        raise ScenarioError(f"{self.path.name}:{number}: {what}")

    def title(self, number: int, title: str):
        if any(block.title == title for block in self.blocks):
            self.fail(number, f"a second block called {title!r}")
        self.blocks.append(Block(self.path.stem, title))
        self.setup = False

    def directive(self, number: int, text: str):
        word, _, rest = text.partition(" ")
        rest = rest.strip()
        block = self.blocks[-1]
        if word == "needs":
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
        elif word == "link-local" and not rest:
            block.link_local = True
        elif word in ("setup", "test") and not rest:
            self.setup = word == "setup"
        else:
            self.fail(number, f"unknown directive {text!r}")

    def line(self, number: int, text: str):
        self.blocks[-1].lines.append(Line(text, number, self.setup, self.deviation))
        self.deviation = None

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
        return self.blocks


def read(path: Path) -> list[Block]:
    return _Reader(path).read()
