"""The blocks of a short run: as few lines as show each scenario file, each feature that a block needs, and each kind of
link that is made, at least once."""

import re

from .scenario import Block

_KIND = re.compile(r"\blink add\b.*\btype (\w+)")
_SETUP = 5  # what a block costs beside its lines: its namespaces, and the dumps of their state


def _shows(block: Block) -> set[tuple[str, str]]:
    kinds = {kind for line in block.lines for kind in _KIND.findall(line.text)}
    return {("file", block.file)} | {("needs", need) for need in block.needs} | {("kind", kind) for kind in kinds}


def cover(blocks: list[Block]) -> list[Block]:
    """In their order; those first that show most for each line."""
    shows = [_shows(block) for block in blocks]
    cost = [_SETUP + len(block.lines) for block in blocks]
    missing = set().union(*shows)
    chosen = set()
    while missing:
        best = max(range(len(blocks)), key=lambda each: len(shows[each] & missing) / cost[each])
        chosen.add(best)
        missing -= shows[best]
    return [blocks[each] for each in sorted(chosen)]
