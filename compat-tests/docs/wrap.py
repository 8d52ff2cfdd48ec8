#!/usr/bin/env python3
"""wrap.py [--write]: prints lines of Markdown text that are longer than WIDTH; --write wraps them anew.

Leaves tables, code blocks, headings, comments and long links as they are. Never breaks `code`."""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WIDTH = 100
LEFT = {"bench/report.md", "CHANGELOG.md", ".github/ISSUE_TEMPLATE/bug.md"}  # generated; one entry a line; has front matter
VERBATIM = re.compile(r"^\s*(\||#|<|!\[|---|\[\^)|^\s*$")
ITEM = re.compile(r"^(\s*)([*+-]|\d+\.)\s+")
NOT_FIRST = re.compile(r"^([*+#>|-]|\d+\.)")  # would begin a list, a heading, a quotation or a table
GLUE = "\0"


def glued(text: str) -> str:
    """Replaces spaces at which the text must not break: within code, and before characters that mean something at the start of a line."""
    text = re.sub(r"`[^`]{1,70}`", lambda code: code[0].replace(" ", GLUE), text)
    words = text.split(" ")
    return "".join((GLUE if NOT_FIRST.match(word) else " ") + word for word in words).strip(" " + GLUE)


def wrapped(lines: list[str]) -> list[str]:
    item = ITEM.match(lines[0])
    first = item[0] if item else re.match(r"\s*", lines[0])[0]
    text = " ".join(line.strip() for line in (lines[0][len(first) :], *lines[1:]))
    return textwrap.wrap(
        glued(text), WIDTH, initial_indent=first, subsequent_indent=" " * len(first), break_long_words=False, break_on_hyphens=False
    )


def rewrapped(text: str) -> str:
    done: list[str] = []
    paragraph: list[str] = []
    fenced = comment = False

    def end():
        if paragraph:
            done.extend(line.replace(GLUE, " ") for line in wrapped(paragraph))
            paragraph.clear()

    for line in text.split("\n"):
        fence = line.lstrip().startswith("```")
        comment = comment or line.lstrip().startswith("<!--")
        if fence or fenced or comment or VERBATIM.match(line):
            end()
            done.append(line)
            fenced ^= fence
            comment = comment and "-->" not in line
            continue
        if ITEM.match(line):
            end()
        paragraph.append(line)
    end()
    return "\n".join(done)


def main() -> int:
    names = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    wrong = 0
    for name in names:
        path = ROOT / name
        text = path.read_text()
        if name in LEFT or (new := rewrapped(text)) == text:
            continue
        if "--write" in sys.argv[1:]:
            path.write_text(new)
            continue
        for number, (old, other) in enumerate(zip(text.split("\n"), new.split("\n"), strict=False), 1):
            if old != other and len(old) > WIDTH:
                print(f"{name}:{number}: {len(old)} characters (compat-tests/docs/wrap.py --write)")
                wrong += 1
                break
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
