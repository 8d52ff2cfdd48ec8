"""A first pass through a long block. It sends all lines at once to the real program and to nlsh; a process that forks for each command
(forkserver.c) runs the real ip and bridge.

It compares what the twins compare: each line's status, output and errors, and the final state. A block that differs here goes through
the twins (reduce.py), which run it line by line and give the verdict."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from runner import state
from runner.masks import Masks
from runner.ways import MORE_WAYS, NEEDS_SHELL, REFERENCE, WAYS, Folder, Twin
from runner.worker import Answer, Hung, words_of_all

from .reduce import MASKS

STATE_TRIES = 3  # the kernel makes some changes late
_COLUMN = re.compile(rb" +(?=\*)")  # padding before masked numbers, whose widths differ
_CLOCK = re.compile(rb"(?<![0-9a-f:])\d\d:\d\d:\d\d(?![0-9a-f:])")  # the kernel keeps counting these


class ForkedReference(Twin):
    def send(self, line: str):
        if NEEDS_SHELL.search(line):
            super().send(line)
        else:
            self.worker.send("f", b"".join(word.encode() + b"\0" for word in shlex.split(line)))


@dataclass
class Pass:
    """native and fallback count nlsh's calls; a line may make several."""

    equal: bool = True
    native: int = 0
    fallback: int = 0


class Quick:
    def __init__(self, path: Path, ways: list[str], setup: str, unknown: dict[str, str] | None = None):
        path.mkdir()
        folder = Folder(path)
        folder.unknown = unknown or {}
        self.reference = ForkedReference(REFERENCE, folder)
        self.ours = {name: Twin((WAYS | MORE_WAYS)[name], folder) for name in ways}
        self.reader = state.Reader(path)
        self.setup = "PATH=/usr/sbin:/usr/bin:/sbin:/bin\nset -e\n" + setup

    def stop(self):
        for twin in (self.reference, *self.ours.values()):
            twin.worker.stop()

    def run(self, way: str, lines: list[str]) -> Pass:
        """A twin that hangs counts as a difference."""
        twins = (self.reference, self.ours[way])
        try:
            return self._run(twins, lines)
        except Hung:
            for twin in twins:
                twin.worker.stop()
            return Pass(equal=False)

    def _run(self, twins: tuple[Twin, Twin], lines: list[str]) -> Pass:
        workers = [twin.worker for twin in twins]
        for worker in workers:
            worker.ask_for_namespace()
        for worker in workers:
            worker.in_fresh_namespace()
        if any(answer.status != 0 for answer in words_of_all(workers, "/bin/sh", "-c", self.setup)):
            return Pass(equal=False)
        twins[1].trace.calls()  # skip the set-up's lines
        for line in lines:
            for twin in twins:
                twin.send(line)
        answers = [[twin.receive() for _ in lines] for twin in twins]
        calls = twins[1].trace.calls()
        masks = Masks((self.setup + "\n".join(lines)).encode(), [*MASKS, "carrier"])
        equal = all(_same(masks, *both) for line, *both in zip(lines, *answers)) and self._same_state(masks, workers)
        return Pass(equal, calls.count(b"native"), calls.count(b"fallback"))

    def _same_state(self, masks: Masks, workers: list) -> bool:
        for _ in range(STATE_TRIES):
            real, ours = self.reader.read(workers)
            if _same_text(masks, real.witness, ours.witness) and (
                _same_dumps(masks, real, ours) or _same_text(masks, real.real, ours.real)
            ):
                return True
        return False


def _same(masks: Masks, real: Answer, ours: Answer) -> bool:
    return real.status == ours.status and alike(masks, real.out, ours.out) and alike(masks, real.err, ours.err)


def _same_dumps(masks: Masks, real: state.State, ours: state.State) -> bool:
    """Compares the dumps as text, an object a line: parsing the JSON takes longer."""
    return all(
        _same(masks, *(Answer(each.status, each.out.replace(b"},{", b"},\n{"), each.err) for each in both))
        for both in zip(real.answers, ours.answers)
    )


def _same_text(masks: Masks, real: bytes | None, ours: bytes | None) -> bool:
    """None means that libnl crashed: then the real tools' dumps decide alone."""
    if real is None or ours is None or alike(masks, real, ours):
        return True
    return state.sort_unordered(masks.apply(real)) == state.sort_unordered(masks.apply(ours))


def alike(masks: Masks, real: bytes, ours: bytes) -> bool:
    """Masks take most of the time, so they first run on the differing lines only."""
    if real == ours:
        return True
    lines = [text.split(b"\n") for text in (real, ours)]
    if len(lines[0]) == len(lines[1]):
        differing = [both for both in zip(*lines) if both[0] != both[1]]
        if _masked(masks, b"\n".join(each for each, _ in differing)) == _masked(masks, b"\n".join(each for _, each in differing)):
            return True
    return _masked(masks, real) == _masked(masks, ours)


def _masked(masks: Masks, text: bytes) -> bytes:
    return _CLOCK.sub(b"*", _COLUMN.sub(b" ", masks.apply(text)))
