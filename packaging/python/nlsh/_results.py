"""What a line did."""

import os
import subprocess
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Failure:
    """A command of a native line that ended with a status other than 0."""

    position: int
    """1: the line's first command, as written."""
    command: str
    """Its words, with a blank between two."""
    status: int
    """Its exit status."""
    errno: int
    """What the kernel refused its request with (errno.EEXIST …); 0 when it wasn't the kernel."""
    extack: str
    """The kernel's own words; "" when it sent none."""
    message: str
    """The first line that the command wrote to stderr; "" when none."""

    def __str__(self) -> str:
        why = self.extack or (os.strerror(self.errno) if self.errno else self.message)
        return f"`{self.command}`: {why or f'status {self.status}'}"


@dataclass(frozen=True, slots=True)
class Result:
    """All that a line did. Texts are UTF-8; bytes that aren't become lone surrogates (PEP 383), as in file names."""

    line: str
    """What was run."""
    status: int
    """The exit status, 0 to 255; 128 + N when signal N ended the shell, also 137 when the server died meanwhile; -1: not
    known, as the program ignores SIGCHLD."""
    output: str
    """What it wrote to stdout."""
    error: str
    """What it wrote to stderr."""
    failures: tuple[Failure, ...] = ()
    """Of a native line: the commands that failed, in the order in which they ran. What the line made good by || is among
    them."""
    fallback: str | None = None
    """Why /bin/sh ran the line; None: it was native."""

    @property
    def failure(self) -> Failure | None:
        """The last command that failed: with a status other than 0, usually what the line failed for."""
        return self.failures[-1] if self.failures else None

    @property
    def errno(self) -> int:
        """The last failure's errno; 0 when there is none, as of every line that fell back."""
        return self.failures[-1].errno if self.failures else 0

    @property
    def extack(self) -> str:
        """The kernel's own words of the last failure; "" when there are none."""
        return self.failures[-1].extack if self.failures else ""

    def check(self) -> "Result":
        """Itself, when the status is 0. Raises CommandError otherwise."""
        if self.status != 0:
            raise CommandError(self)
        return self


class CommandError(subprocess.CalledProcessError):
    """A line ended with a status other than 0. `cmd` is the line, `returncode` its status, `output`, `stdout` and `stderr` are
    texts, as of its base class; `result` has the rest."""

    def __init__(self, result: Result):
        super().__init__(result.status, result.line, result.output, result.error)
        self.result = result

    @property
    def failure(self) -> Failure | None:
        """The command that failed, as Result.failure has it."""
        return self.result.failure

    @property
    def errno(self) -> int:
        """What the kernel refused with, as Result.errno has it."""
        return self.result.errno

    @property
    def extack(self) -> str:
        """The kernel's own words, as Result.extack has them."""
        return self.result.extack

    def __str__(self) -> str:
        if self.failure:
            return f"status {self.returncode}, {self.failure}"
        said = self.result.error.partition("\n")[0]
        return f"status {self.returncode}, `{self.cmd}`" + (f": {said}" if said else "")
