"""Handles of libnlsh, and the shared handle of run() and check()."""

import ctypes
import enum
import os
import shlex
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from ._library import C, CResult, Pointer, errno_error
from ._results import Failure, Result

_ENCODING = ("utf-8", "surrogateescape")


class Way(enum.IntEnum):
    """Where native lines run."""

    IN_PROCESS = 0
    """The calling thread: its rights, its network namespace."""
    BY_SERVER = 1
    """nlsh serve, for callers that nlsh-serve(8) serves; the program carries no netlink sockets. Without a server all lines
    go to /bin/sh."""


def _text(address: int | None, size: int) -> str:
    return ctypes.string_at(address, size).decode(*_ENCODING) if address else ""


def _result(line: str, said: CResult) -> Result:
    failures = tuple(
        Failure(
            each.position,
            each.command.decode(*_ENCODING),
            each.status,
            each.error,
            each.extack.decode(*_ENCODING),
            each.message.decode(*_ENCODING),
        )
        for each in said.failures[: said.failure_count]
    )
    fallback = None if said.fallback is None else said.fallback.decode(*_ENCODING)
    return Result(line, said.status, _text(said.output, said.output_size), _text(said.error, said.error_size), failures, fallback)


class Handle:
    """A handle of libnlsh, for many lines; closed at the end of a `with` block, by close(), or with its last reference.

    Any number of threads may use one at the same time, close() included: calls that have begun are finished. A forked child may
    go on to use it, and has one of its own from its first call on.
    """

    def __init__(self, way: Way = Way.IN_PROCESS, socket: str | os.PathLike[str] | None = None):
        """Connects to nothing yet. `socket`: for Way.BY_SERVER the prefix of the server's sockets; None: $NLSH_SOCKET, else
        /run/nlsh/nlsh.sock.

        Raises OSError: EINVAL for an empty `socket`, ENAMETOOLONG, ENOMEM; ValueError for a `socket` with a NUL.
        """
        self._arguments = (int(way), None if socket is None else os.fsencode(socket))
        if b"\0" in (self._arguments[1] or b""):
            raise ValueError("embedded null byte")
        self._pointer: Pointer | None = Pointer(*self._arguments)

    def run(self, line: str | Sequence[str]) -> Result:
        """Runs a line to its end, and returns what it did, whatever its status.

        `line` is what popen(3) takes, chains, pipes and redirections included, or the words of one command, each of which is
        quoted if need be: no name can break out of its word. The interpreter's lock is released meanwhile. A handler
        of Python's for a signal, Ctrl-C's too, runs when the line has ended.

        Raises OSError when nothing has run (EMFILE, EAGAIN, ENOMEM …), and ValueError when the handle is closed, when
        `line` has a NUL, or no word.
        """
        if not isinstance(line, str) and len(line) == 0:
            raise ValueError("no command")
        text = line if isinstance(line, str) else shlex.join(line)
        encoded = text.encode(*_ENCODING)
        if b"\0" in encoded:
            raise ValueError("embedded null byte")
        pointer = self._living()  # the call's own reference
        said = ctypes.POINTER(CResult)()
        C.nlsh_run(pointer.address, ctypes.byref(said), encoded)
        if not said:
            raise errno_error()
        try:
            return _result(text, said.contents)
        finally:
            C.nlsh_free(said)

    def check(self, line: str | Sequence[str]) -> Result:
        """run(), for a line that is to succeed: raises CommandError, too, when its status isn't 0."""
        return self.run(line).check()

    def close(self) -> None:
        """No further line is run by it. May be called more than once."""
        self._pointer = None

    def __enter__(self) -> Self:
        self._living()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()

    def _living(self) -> Pointer:
        pointer = self._pointer
        if pointer is None:
            raise ValueError("the handle is closed")
        if pointer.owner != os.getpid():
            self._pointer = pointer = Pointer(*self._arguments)
        return pointer


def version() -> str:
    """libnlsh's: "0.1.0"."""
    said: bytes = C.nlsh_version()
    return said.decode()
