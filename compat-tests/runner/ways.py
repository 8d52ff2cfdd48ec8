"""The ways into nlsh, and the reference: how each runs a command line."""

import functools
import os
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import paths, worker
from . import unknown as unknown_module
from .recording import Recording


@dataclass(frozen=True)
class Way:
    name: str
    operation: str = "p"
    preload: bool = False
    shim: bool = False
    in_process: bool = False  # NLSH_ENGINE=inproc: no server
    words: tuple[str, ...] = ()  # what runs a line instead of a shell
    server: bool = True  # under the preload
    execs: bool = False  # by exec or posix_spawn, which the preload answers
    confined: bool = False  # by a seccomp filter: its calls are on its own netlink socket

    def payload(self, line: str) -> bytes:
        if self.execs:
            return _joined(["sh", "-c", line] if NEEDS_SHELL.search(line) else shlex.split(line))
        if not self.words:
            return line.encode()
        return _joined([*self.words, line])


def _joined(words: list[str]) -> bytes:
    return b"".join(os.fsencode(word) + b"\0" for word in words)


NEEDS_SHELL = re.compile(r"[|&;<>(){}!$`\n]|^if ")
REFERENCE = Way("reference")
WAYS = {
    way.name: way
    for way in (
        Way("preload-popen", "p", preload=True),
        Way("preload-system", "s", preload=True),
        Way("nlsh-c", "x", words=(str(paths.NLSH), "-q", "-c")),
        Way("shim", "p", shim=True),
        Way("preload-inproc", "p", in_process=True),  # by --ways only
    )
}
# The fuzzer's alone: scenarios have tests of their own for these (ways.bats, exec_spawned.bats).
MORE_WAYS = {
    way.name: way
    for way in (
        Way("exec", "e", preload=True, execs=True),
        Way("spawn", "v", preload=True, execs=True),
        Way("exec-replaced", "e", preload=True, execs=True, server=False),
        Way("spawn-replaced", "v", preload=True, execs=True, server=False),
        Way("popen-spawned", "p", preload=True, server=False),
        Way("own-socket", "p", preload=True, confined=True),
        Way("own-socket-exec", "e", preload=True, execs=True, confined=True),
    )
}

_BARE_TOOL = re.compile(r"""(?:^|[\s;&|("'`])(?:ip|bridge)(?=[\s"'|;&)]|$)""")


def reached_by_shim(line: str) -> bool:
    """Whether a shell that runs the line looks for `ip` or `bridge` on the PATH."""
    return bool(_BARE_TOOL.search(line))


@functools.cache
def explained_native(line: str) -> bool | None:
    """What `nlsh explain` says of the line; None when it can't tell."""
    try:
        status = subprocess.run([paths.NLSH, "explain", line], stdin=subprocess.DEVNULL, capture_output=True, timeout=10).returncode
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {0: True, 1: False}.get(status)


class Folder:
    """A run's own files: the shim's folder, traces, the servers' logs, batch files."""

    def __init__(self, path: Path, recording: Recording | None = None, unknown: Path | None = None):
        self.path = path
        self.recording = recording
        self.patched = unknown is not None and unknown_module.is_patched(unknown)
        self.unknown = unknown_module.environment(unknown) if unknown else {}
        (self.path / "shim").mkdir()
        for tool in ("ip", "bridge"):
            (self.path / "shim" / tool).symlink_to(paths.NLSH)
        self.count = 0

    def place(self, way: Way) -> Path:
        """The common prefix of a twin's own files."""
        self.count += 1
        return self.path / f"{way.name}-{self.count}"

    def environment(self, way: Way, place: Path) -> dict[str, str]:
        # In a loaded guest a server may need longer than a second; verdicts don't depend on speed.
        environment = {"NLSH_TRACE": str(place.with_suffix(".trace")), "NLSH_TIMEOUT_MS": "8000"}
        if way.preload:
            environment |= {
                "PRELOAD": str(paths.PRELOAD),
                "SERVER": str(paths.NLSH) if way.server else "",
                "NLSH_SOCKET": "/run/nlsh/nlsh.sock",
                "SERVER_LOG": str(place.with_suffix(".log")),
                "NLSH_EXEC": "1" if way.execs else "0",
            }
        if way.confined:
            environment["CONFINED"] = "1"
        if way.in_process:
            environment |= {"PRELOAD": str(paths.PRELOAD), "NLSH_ENGINE": "inproc"}
        if way.shim:
            environment["PATH"] = f"{self.path / 'shim'}:/usr/sbin:/usr/bin:/sbin:/bin"
        if way is REFERENCE and self.patched:
            environment["PATH"] = self.unknown["PATH"]
        if way is not REFERENCE and self.unknown:
            environment |= self.unknown | ({"PATH": f"{self.path / 'shim'}:{self.unknown['PATH']}"} if way.shim else {})
        if self.recording:
            environment |= self.recording.environment(way is REFERENCE, place)
        return environment


class Trace:
    """Reads what NLSH_TRACE has gained: tab-separated lines, the second field `native` or `fallback`."""

    def __init__(self, path: str):
        self.path = path
        self.position = 0
        self.reason = ""  # why the last one that wasn't native fell back

    def calls(self) -> list[bytes]:
        """What became of each call since the last question: `native`, `fallback`."""
        if not os.path.exists(self.path):
            return []
        with open(self.path, "rb") as file:
            file.seek(self.position)
            gained = file.read()
            self.position = file.tell()
        calls = [line.split(b"\t") for line in gained.split(b"\n") if line]
        left = [call for call in calls if b"native" not in call[1:2]]
        self.reason = left[-1][5].decode(errors="replace") if left and len(left[-1]) > 5 else ""
        return [(call + [b""])[1] for call in calls]

    def native(self) -> bool | None:
        """Whether all calls since the last question were native; None when none was traced."""
        calls = self.calls()
        return all(call == b"native" for call in calls) if calls else None


class Twin:
    """A way's worker, and what tells native from fallback."""

    def __init__(self, way: Way, folder: Folder):
        self.way = way
        self.place = folder.place(way)
        environment = folder.environment(way, self.place)
        self.worker = worker.Worker(environment)
        self.trace = Trace(environment["NLSH_TRACE"])

    def send(self, line: str):
        self.worker.send(self.way.operation, self.way.payload(line))

    def receive(self) -> worker.Answer:
        """Only nlsh has to be quick: what makes the real tools wait is the machine's."""
        return self.worker.receive(worker.SLOW_SECONDS if self.way is REFERENCE else worker.LINE_SECONDS)

    def forget_calls(self):
        if self.way is not REFERENCE:
            self.trace.native()

    def native(self, line: str) -> bool | None:
        """None when no nlsh was reached, as by an absolute path past the shim."""
        if self.way is REFERENCE:
            return True
        if self.way.shim and not reached_by_shim(line):
            return None
        traced = self.trace.native()
        if traced is None and not (self.way.preload or self.way.in_process):
            traced = explained_native(line)
        return bool(traced)
