"""A first pass through a long block: all its lines are sent at once to the real program and to nlsh, and the real ip and bridge run by
a process that forks for each command (forkserver.c).

It compares what the twins compare: each line's status, output and errors, and the state at the end. It only finds: a block that
differs here goes through the twins (reduce.py), which run it line by line and decide."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from runner import state
from runner.masks import Masks
from runner.ways import MORE_WAYS, NEEDS_SHELL, REFERENCE, WAYS, Folder, Twin
from runner.worker import Answer, Hung, words_of_all

from .reduce import MASKS

STATE_TRIES = 3  # what the kernel does late
_COLUMN = re.compile(rb" +(?=\*)")  # of masked numbers, which had other widths
_CLOCK = re.compile(rb"(?<![0-9a-f:])\d\d:\d\d:\d\d(?![0-9a-f:])")  # that the kernel counts on


class ForkedReference(Twin):
    def send(self, line: str):
        if NEEDS_SHELL.search(line):
            super().send(line)
        else:
            self.worker.send("f", b"".join(word.encode() + b"\0" for word in shlex.split(line)))


@dataclass
class Pass:
    """native and fallback count nlsh's calls: a line may be several."""

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
        twins[1].trace.calls()  # the set-up's lines aren't counted
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
    """As the tools print them, an object a line: to read the JSON takes longer."""
    return all(
        _same(masks, *(Answer(each.status, each.out.replace(b"},{", b"},\n{"), each.err) for each in both))
        for both in zip(real.answers, ours.answers)
    )


def _same_text(masks: Masks, real: bytes | None, ours: bytes | None) -> bool:
    """None: libnl crashed, and the real program's words have to do."""
    if real is None or ours is None or alike(masks, real, ours):
        return True
    return state.sort_unordered(masks.apply(real)) == state.sort_unordered(masks.apply(ours))


def alike(masks: Masks, real: bytes, ours: bytes) -> bool:
    """Masks take most of the time: only lines that differ get them, if that suffices."""
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
