"""A persistent client process (client.c) in a mount namespace of its own, for one way of running lines."""

import os
import select
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from . import groups, paths

LINE_SECONDS = 60 if os.environ.get("NLSH_SERVE_PREFIX") else 10  # valgrind starts slowly in a guest
SLOW_SECONDS = 60  # what isn't under test (a start, the real tools, a dump of the state in a guest) may take longer


@dataclass(frozen=True)
class Answer:
    status: int
    out: bytes
    err: bytes


class Hung(Exception):
    pass


# A private /run keeps `ip netns` of one worker from the others'. The server must share it: it declines peers
# of other mount namespaces.
# popen and system are what is compared: set-up, by posix_spawn, and what a line that falls back execs, are the real tools'.
# A session has a scheduling group of its own, which gets the caller's priority.
_START = """
[ "$AUTOGROUP" = 0 ] || echo "$AUTOGROUP" >/proc/self/autogroup
mount -t tmpfs run /run && mkdir /run/nlsh || exit 98
if [ -n "$SERVER" ]; then
    NLSH=$SERVER
    . "$SERVE"
    serve "$NLSH_SOCKET" </dev/null >"$SERVER_LOG" 2>&1 || exit 97
fi
exec env ${PRELOAD:+LD_PRELOAD="$PRELOAD" NLSH_EXEC="$NLSH_EXEC"} "$CLIENT" "$1"
"""


def _autogroup() -> str:
    """The niceness of the caller's scheduling group; 0 where the kernel has none."""
    try:
        return Path("/proc/self/autogroup").read_text().split()[-1]
    except (OSError, IndexError):
        return "0"


def _environment(extra: dict[str, str]) -> dict[str, str]:
    kept = {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "LC_ALL": "C",
        "HOME": "/root",
        "CLIENT": str(paths.TOOLS / "client"),
        "SERVE": str(paths.SERVE),
        "AUTOGROUP": _autogroup(),
        "FORK_SERVER": str(paths.TOOLS / "forkserver"),
    } | {name: os.environ.get(name, "") for name in ("NLSH_SERVE_PREFIX", "NLSH_SERVE_OPTIONS")}
    return kept | extra


class Worker:
    def __init__(self, environment: dict[str, str]):
        self.environment = _environment(environment)
        self.process: subprocess.Popen | None = None

    def start(self):
        mine, theirs = socket.socketpair()
        self.process = subprocess.Popen(
            ["unshare", "-m", "--propagation", "private", "sh", "-c", _START, "sh", str(theirs.fileno())],
            env=self.environment,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
        )
        groups.add(self.process.pid)
        theirs.close()
        self.socket = mine
        self.buffer = b""

    def stop(self):
        if self.process is None:
            return
        self.socket.close()
        groups.kill(self.process.pid)
        self.process.wait()
        self.process = None

    def send(self, operation: str, payload: bytes = b""):
        if self.process is None:
            self.start()
        try:
            self.socket.sendall(f"{operation} {len(payload)}\n".encode() + payload)
        except OSError:
            raise Hung("the client is gone") from None

    def _more(self, deadline: float):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([self.socket], [], [], left)[0]:
            raise Hung("no answer in time")
        piece = self.socket.recv(1 << 20)
        if not piece:
            raise Hung("the client died")
        self.buffer += piece

    def receive(self, seconds: float) -> Answer:
        """The time runs from here, not from send(): a machine that stands still holds up all twins, and who is
        asked after the others have answered has had theirs as well."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self.buffer:
            self._more(deadline)
        header, _, self.buffer = self.buffer.partition(b"\n")
        status, out, err = map(int, header.split())
        while len(self.buffer) < out + err:
            self._more(deadline)
        answer = Answer(status, self.buffer[:out], self.buffer[out : out + err])
        self.buffer = self.buffer[out + err :]
        return answer

    def send_words(self, *words: str | Path):
        self.send("x", b"".join(os.fsencode(word) + b"\0" for word in words))

    def fresh_namespace(self, link_local: bool = False):
        self.ask_for_namespace(link_local)
        self.in_fresh_namespace()

    def ask_for_namespace(self, link_local: bool = False):
        self.send("n", b"link-local" if link_local else b"")

    def in_fresh_namespace(self):
        answer = self.receive(SLOW_SECONDS)
        if answer.status != 0:
            raise OSError(answer.status, "unshare(CLONE_NEWNET)")


def words_of_all(workers: list[Worker], *words: str | Path) -> list[Answer]:
    """Runs the same words in all workers at once."""
    for worker in workers:
        worker.send_words(*words)
    return [worker.receive(SLOW_SECONDS) for worker in workers]
