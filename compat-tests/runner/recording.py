"""Records what the reference asks the kernel, and what nlsh uses, line by line: what `nlsh qualify` has builds replay.

The preload in the reference (shim/replay) writes a tape for each process; nlsh notes in a file what it uses. What is kept
of a line goes to a file of items (shim/replay/tape.h): `l`, with items of its own, then its tapes."""

import struct
import threading
from pathlib import Path

from . import verdict


def item(kind: str, content: bytes) -> bytes:
    return kind.encode() + struct.pack("=I", len(content)) + content


def items(content: bytes):
    place = 0
    while place + 5 <= len(content):
        kind, size = chr(content[place]), struct.unpack_from("=I", content, place + 1)[0]
        yield kind, content[place + 5 : place + 5 + size]
        place += 5 + size


class Recording:
    def __init__(self, path: Path, flush: bool = False):
        self.file = path.open("wb", buffering=0 if flush else -1)
        self.lock = threading.Lock()

    def environment(self, reference: bool, place: Path) -> dict[str, str]:
        """Of a twin, whose files are called `place` and something more."""
        from . import paths

        if reference:
            folder = place.with_suffix(".tapes")
            folder.mkdir()
            return {"PRELOAD": str(paths.NLSH.parent / "nlsh-replay.so"), "NLSH_REPLAY_RECORD": str(folder)}
        place.with_suffix(".notes").touch()
        return {"NLSH_NOTE_USES": str(place.with_suffix(".notes"))}

    def forget(self, twins):
        for twin in twins:
            for tape in twin.place.with_suffix(".tapes").glob("*"):
                tape.unlink()
            notes = twin.place.with_suffix(".notes")
            if notes.exists():
                notes.write_bytes(b"")

    def keep(self, block, line, reference, twin, what: str, native: bool | None):
        """Of a line that nlsh has run, with the same effect; of probes, all."""
        good = native and what in (verdict.IDENTICAL, verdict.MASKED)
        if not good and block.file != "probes":
            return
        tapes = [path.read_bytes() for path in sorted(reference.place.with_suffix(".tapes").glob("*"))]
        if not tapes or any(kind == "z" for tape in tapes for kind, _ in items(tape)):
            return
        notes = twin.place.with_suffix(".notes").read_bytes()
        head = item("w", f"{block.file}:{line.number} {line.text}".encode()) + item("n", notes)
        with self.lock:
            self.file.write(item("l", head) + b"".join(item("r", tape) for tape in tapes))
