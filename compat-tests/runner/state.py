"""A network namespace's state, one line an object: dumped by the real binaries and read through libnl (witness.c)."""

import functools
import itertools
import json
from dataclasses import dataclass
from pathlib import Path

from . import paths
from .worker import Answer, Worker, words_of_all

# (binary and options, what a batch file asks). A kernel without VLAN filtering ends bridge's batch at `vlan show`.
DUMPS = (
    (("/sbin/ip", "-d", "-j"), ("link show", "addr show", "neigh show nud all", "nexthop show", "neigh show proxy")),
    (("/sbin/ip", "-4", "-d", "-j"), ("route show table all", "rule show")),
    (("/sbin/ip", "-6", "-d", "-j"), ("route show table all", "rule show")),
    (("/sbin/bridge", "-d", "-j"), ("link show", "fdb show", "mdb show", "vni show", "vlan show", "vlan tunnelshow", "vlan global show")),
)
# The kernel keeps these in an order that (random) addresses decide.
UNORDERED = {
    b"== /sbin/ip route show table all",
    b"== /sbin/ip neigh show nud all",
    b"== /sbin/bridge fdb show",
    b"== routes",
    b"== neighbours",
}


@dataclass(frozen=True)
class State:
    answers: tuple[Answer, ...]  # of the commands in DUMPS
    witness: bytes | None  # None: the witness could not run

    @functools.cached_property
    def real(self) -> bytes:
        """What the real binaries say, one line an object."""
        return b"\n".join(line for answer, (command, questions) in zip(self.answers, DUMPS) for line in _lines(answer, command, questions))


def _objects(text: bytes) -> list[bytes]:
    try:
        # Pairs keep members that occur twice, as the two `dst` of an encapsulated route.
        parsed = json.loads(text, object_pairs_hook=lambda pairs: ["{", *pairs])
    except ValueError:
        return [text]
    if not isinstance(parsed, list):
        parsed = [parsed]
    return [_flat(entry) for entry in parsed]


def _flat(entry) -> bytes:
    if isinstance(entry, list) and entry and entry[0] == "{":
        return b"{" + b", ".join(json.dumps(name).encode() + b":" + _flat(value) for name, value in entry[1:]) + b"}"
    if isinstance(entry, list):
        return b"[" + b", ".join(map(_flat, entry)) + b"]"
    return json.dumps(entry).encode()


def _lines(answer: Answer, command: tuple[str, ...], questions: tuple[str, ...]) -> list[bytes]:
    lines = [" ".join(command).encode() + b": status %d" % answer.status]
    documents = [line for line in answer.out.split(b"\n") if line]
    for question, document in itertools.zip_longest(questions, documents, fillvalue=None):
        if document is not None:
            lines.append(f"== {command[0]} {question}".encode())
            lines += _objects(document)
    return lines


class Reader:
    """Reads states. Keeps batch files in `folder`, one for each entry of DUMPS."""

    def __init__(self, folder: Path):
        self.commands: list[tuple[str | Path, ...]] = []
        for number, (command, questions) in enumerate(DUMPS):
            batch = folder / f"dump-{number}"
            batch.write_text("\n".join(questions) + "\n")
            self.commands.append((*command, "-force", "-b", batch))

    def read(self, workers: list[Worker]) -> list[State]:
        """The workers' states, all read at the same time: what the kernel does late it does late for all."""
        rounds = [words_of_all(workers, *command) for command in (*self.commands, (paths.TOOLS / "witness",))]
        return [State(tuple(answers), witness.out if witness.status == 0 else None) for *answers, witness in zip(*rounds)]


def sort_unordered(text: bytes) -> bytes:
    sections: list[list[bytes]] = []
    for line in text.split(b"\n"):
        if line.startswith(b"== ") or not sections:
            sections.append([])
        sections[-1].append(line)
    for section in sections:
        if section[0] in UNORDERED:
            section[1:] = sorted(section[1:])
    return b"\n".join(line for section in sections for line in section)
