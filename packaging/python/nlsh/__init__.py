"""ip and bridge command lines of iproute2, without a process.

    import nlsh

    nlsh.check("ip link add br0 type bridge && ip link set br0 up")
    nlsh.check(["ip", "link", "set", name, "mtu", "9100"])       # words: each is quoted if need be
    print(nlsh.run("ip -br link show br0").output)

    try:
        nlsh.check("ip link set br0 up && ip link add br0 type bridge")
    except nlsh.CommandError as error:                           # a subprocess.CalledProcessError
        print(error.failure.command, error.errno, error.extack)  # "ip link add br0 type bridge", EEXIST, ""

run() and check() use one handle of the process, which runs native lines in the calling thread, with its rights and in its network namespace. Any thread
may call them, and any forked child. Other lines are run by /bin/sh within the same call: Result.fallback says why. A Handle
of one's own can let a server run them (Way.BY_SERVER). Nothing is written to the program's stdout or stderr.
"""

from collections.abc import Sequence

from ._handle import Handle, Way, version
from ._results import CommandError, Failure, Result

__all__ = ["CommandError", "Failure", "Handle", "Result", "Way", "check", "run", "version"]
__version__ = "0.1.0"

_own = Handle()


def run(line: str | Sequence[str]) -> Result:
    """Runs a line, or the words of one command, to its end in the calling thread: Handle.run says the rest."""
    return _own.run(line)


def check(line: str | Sequence[str]) -> Result:
    """run(), for a line that is to succeed: raises CommandError, too, when its status isn't 0."""
    return _own.check(line)
