"""Runs one block through all twins in lockstep and judges each line and the end state."""

import difflib
import re
import time

from . import features, report, state, verdict
from .masks import Masks
from .recording import Recording
from .scenario import Block, Line
from .verdict import Verdict
from .ways import Twin
from .worker import Answer, Hung, words_of_all

SETTLE_SECONDS = 3  # operational states and kernel-made routes may come late
SETTLE_TRIES = 4
_CHANGES = re.compile(r"\b(add(?! (?:show|list)\b)|del|delete|set|replace|change|append|prepend|flush|echo|sysctl|save|restore)\b")


def is_show(line: str) -> bool:
    """A line that may be asked again, because it changes nothing."""
    return not _CHANGES.search(line)


def _settle():
    """Yields while another look is worth it."""
    end = time.monotonic() + SETTLE_SECONDS
    tries = 0
    while tries < SETTLE_TRIES or time.monotonic() < end:
        tries += 1
        yield tries
        time.sleep(min(0.02 * 2**tries, 0.4))


def _describe(name: str, answer: Answer) -> list[str]:
    text = [f"wait status {answer.status:#06x}"]
    for stream, data in (("stdout", answer.out), ("stderr", answer.err)):
        text += [f"{stream}: {line!r}" for line in data.decode(errors="backslashreplace").split("\n")]
    return text


def _diff(reference: list[str], nlsh: list[str], limit: int = 60) -> str:
    lines = list(difflib.unified_diff(reference, nlsh, "iproute2", "nlsh", n=1, lineterm=""))
    return "\n".join(line[:2000] for line in lines[:limit])


def _text(data: bytes) -> list[str]:
    return data.decode(errors="backslashreplace").split("\n")


def _differs(result: dict[str, tuple[str, str]] | None) -> bool:
    return result is None or any(what == verdict.DIFFERENT for what, _ in result.values())


class BlockRun:
    def __init__(self, block: Block, lane: str, reference: Twin, twins: list[Twin], reader: state.Reader, recording: Recording | None):
        self.recording = recording
        self.block, self.lane, self.reference, self.reader = block, lane, reference, reader
        self.twins = twins
        self.live = list(twins)
        text = "\n".join(line.text for line in block.lines).encode()
        self.masks = Masks(text, block.masks)
        self.once_masks = Masks(text, [*block.masks, *block.once_masks])
        self.verdicts: list[Verdict] = []

    def judge(self, twin: Twin, line: Line | str, what: str, detail: str = ""):
        where, number = (line.text, line.number) if isinstance(line, Line) else (line, 0)
        self.verdicts.append(Verdict(self.lane, twin.way.name, self.block.name, where, number, what, detail))

    def could_not_run(self, reason: str, lines: list[Line], twins: list[Twin]):
        for twin in twins:
            for line in lines:
                if not line.setup:
                    self.judge(twin, line, verdict.COULD_NOT_RUN, reason)

    def run(self) -> list[Verdict]:
        block = self.block
        if self.lane == "host" and block.lane == "guest":
            self.could_not_run("needs the guest", block.lines, self.twins)
        elif self.lane == "guest" and block.lane == "host":
            self.could_not_run("needs the host", block.lines, self.twins)
        elif missing := features.missing(block.needs):
            self.could_not_run("needs " + ", ".join(missing), block.lines, self.twins)
        else:
            self.run_lines()
        return self.verdicts

    def run_lines(self):
        lines = self.block.lines
        try:
            for twin in (self.reference, *self.twins):
                twin.worker.fresh_namespace(self.block.link_local)
            position = 0
            while position < len(lines) and self.live:
                position = self.setup(position) if lines[position].setup else self.test(position)
            if self.live and position == len(lines):
                self.compare_states()
        except Hung as hung:
            # The reference or a worker hung during set-up: restart all.
            done = {(v.way, v.number, v.where) for v in self.verdicts}  # a line of `then` or `for` shares its number
            for twin in self.live:
                left = [line for line in lines if (twin.way.name, line.number, line.text) not in done]
                self.could_not_run(report.harness_fault(hung), left, [twin])
            for twin in (self.reference, *self.twins):
                twin.worker.stop()

    def setup(self, position: int) -> int:
        """Runs the consecutive set-up lines from `position` on by the real tools in all twins."""
        lines = self.block.lines
        end = position
        while end < len(lines) and lines[end].setup:
            end += 1
        script = "PATH=/usr/sbin:/usr/bin:/sbin:/bin\nset -e\n" + "\n".join(line.text for line in lines[position:end])
        workers = [twin.worker for twin in (self.reference, *self.live)]
        for answer in words_of_all(workers, "/bin/sh", "-c", script):
            if answer.status != 0:
                reason = "setup failed: " + answer.err.decode(errors="replace").strip()[-300:]
                self.could_not_run(reason, lines[end:], self.live)
                self.live = []
        return end

    def ask(self, line: Line) -> dict[Twin, Answer]:
        """The answers of the reference and of the live twins; one that hangs drops out."""
        self.reference.send(line.text)
        sent = []
        for twin in list(self.live):
            try:
                twin.send(line.text)
                sent.append(twin)
            except Hung as hung:
                self.drop(twin, line, hung)
        answers = {self.reference: self.reference.receive()}
        for twin in sent:
            try:
                answers[twin] = twin.receive()
            except Hung as hung:
                self.drop(twin, line, hung)
        return answers

    def drop(self, twin: Twin, line: Line, hung: Hung):
        twin.worker.stop()
        self.live.remove(twin)
        self.judge(twin, line, verdict.DIFFERENT, str(hung))
        lines = self.block.lines
        self.could_not_run("after a hang", lines[lines.index(line) + 1 :], [twin])

    def compare(self, line: Line, reference: Answer, answer: Answer) -> str:
        if answer == reference:
            return verdict.IDENTICAL
        masks = self.masks if is_show(line.text) else self.once_masks
        masked = [Answer(a.status, masks.apply(a.out), masks.apply(a.err)) for a in (reference, answer)]
        return verdict.MASKED if masked[0] == masked[1] else verdict.DIFFERENT

    def test(self, position: int) -> int:
        line = self.block.lines[position]
        if self.recording:
            self.recording.forget((self.reference, *self.live))
        answers = self.ask(line)
        native = {twin: twin.native(line.text) for twin in self.live}
        reasons = {twin: twin.trace.reason for twin in self.live}
        results = {twin: self.compare(line, answers[self.reference], answers[twin]) for twin in self.live}
        if self.recording:
            for twin in self.live:
                self.recording.keep(self.block, line, self.reference, twin, results[twin], native[twin])
        if verdict.DIFFERENT in results.values() and is_show(line.text) and not line.deviation:
            for _ in _settle():
                answers = self.ask(line)
                results = {twin: self.compare(line, answers[self.reference], answers[twin]) for twin in self.live}
                if verdict.DIFFERENT not in results.values():
                    break
            for twin in self.live:
                twin.forget_calls()  # of asking again: they aren't the next line's
        for twin in self.live:
            self.judge_line(twin, line, results[twin], native.get(twin), answers, reasons.get(twin, ""))
        return position + 1

    def judge_line(self, twin: Twin, line: Line, what: str, native: bool | None, answers: dict[Twin, Answer], reason: str):
        detail = ""
        if what == verdict.DIFFERENT:
            detail = _diff(_describe("iproute2", answers[self.reference]), _describe("nlsh", answers[twin]))
            if line.deviation:
                what, detail = verdict.DEVIATION, line.deviation
        elif line.deviation and native:
            what, detail = verdict.DIFFERENT, f"the deviation {line.deviation!r} is gone: take the directive out"
        elif not native:
            what, detail = (verdict.UNREACHED, "") if native is None else (verdict.FALLBACK, reason)
        self.judge(twin, line, what, detail)

    def compare_states(self):
        results: dict[Twin, dict[str, tuple[str, str]]] = {}
        for _ in _settle():
            # A way that was equal once is equal; compare the others again.
            twins = [twin for twin in self.live if _differs(results.get(twin))]
            reference, *states = self.reader.read([twin.worker for twin in (self.reference, *twins)])
            results |= {twin: self.judge_state(reference, state) for twin, state in zip(twins, states)}
            if not any(map(_differs, results.values())):
                break
        for twin, result in results.items():
            for where, (what, detail) in result.items():
                self.judge(twin, where, what, detail)

    def judge_state(self, reference: state.State, nlsh: state.State) -> dict[str, tuple[str, str]]:
        result = {"state": (verdict.IDENTICAL, "")}
        if reference.answers != nlsh.answers:
            result["state"] = self.compare_texts(reference.real, nlsh.real)
        if reference.witness is None or nlsh.witness is None:
            result["witness"] = (verdict.COULD_NOT_RUN, "libnl crashed")
        else:
            result["witness"] = self.compare_texts(reference.witness, nlsh.witness)
        return result

    def compare_texts(self, reference: bytes, nlsh: bytes) -> tuple[str, str]:
        if reference == nlsh:
            return verdict.IDENTICAL, ""
        masked = [state.sort_unordered(self.masks.apply(text)) for text in (reference, nlsh)]
        if masked[0] == masked[1]:
            return verdict.MASKED, ""
        return verdict.DIFFERENT, _diff(_text(masked[0]), _text(masked[1]))


def run(
    block: Block, lane: str, reference: Twin, twins: list[Twin], reader: state.Reader, recording: Recording | None = None
) -> list[Verdict]:
    return BlockRun(block, lane, reference, twins, reader, recording).run()
