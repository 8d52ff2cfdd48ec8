"""`nlsh serve`."""

import os
import signal
import subprocess
from pathlib import Path

from . import place
from .waiting import wait_for

SECONDS = 60  # timeout of a start or an end on a busy machine


def last_socket(socket: str | Path) -> Path:
    """The socket that the server makes last; each processor has one."""
    return Path(f"{socket}.{os.sysconf('SC_NPROCESSORS_CONF') - 1}")


def thread_states(process: int) -> set[str]:
    """The states in /proc: R runs, S waits, T is stopped."""
    tasks = Path(f"/proc/{process}/task").iterdir()
    return {(task / "stat").read_text().rsplit(")", 1)[1].split()[0] for task in tasks}


def stop(process: subprocess.Popen):
    """Stops the process and waits until all threads have stopped: on a busy machine a thread could still read a request, or answer."""
    process.send_signal(signal.SIGSTOP)
    wait_for(lambda: thread_states(process.pid) == {"T"})


class Server:
    """A server from start(), or from a `with`, until end(). `around`: words before the program's; Popen gets the other options."""

    def __init__(self, socket: str | Path, *options: str, program: str | Path = place.NLSH, around=(), seconds: float = SECONDS, **popen):
        self.socket, self.seconds, self.popen = str(socket), seconds, {"stdin": subprocess.DEVNULL} | popen
        self.words = [*around, str(program), "serve", "--socket", self.socket, *options]
        self.process: subprocess.Popen | None = None

    def launch(self) -> bool:
        """Starts the server, waits until it serves or has ended, and returns whether it serves."""
        last = last_socket(self.socket)
        last.unlink(missing_ok=True)
        self.process = subprocess.Popen(self.words, **self.popen)
        wait_for(lambda: last.exists() or self.process.poll() is not None, self.seconds)
        return self.process.poll() is None

    def start(self):
        if not self.launch():
            raise RuntimeError(f"the server doesn't start: status {self.process.returncode}")
        return self

    def send(self, number: int):
        self.process.send_signal(number)

    def end(self, number: int = signal.SIGTERM) -> int:
        self.send(number)
        return self.process.wait(self.seconds)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.send(signal.SIGCONT)
            self.end()

    def callers(self, preload: str | Path = place.PRELOAD, **variables: str) -> dict[str, str]:
        """The environment of a program under the preload."""
        return os.environ | {"LD_PRELOAD": str(preload), "NLSH_SOCKET": self.socket} | variables
