"""The sinks for a command's output; the child that makes the call sets up its sink."""

import os
import resource
import signal
import socket

PIPE_SIZE = 65536


def _to(descriptor, streams):
    for stream in streams:
        os.dup2(descriptor, stream)
    if descriptor > 2:
        os.close(descriptor)


def _full(streams, _):
    _to(os.open("/dev/full", os.O_WRONLY), streams)


def _read_only(streams, folder):
    _to(os.open(f"{folder}/readable", os.O_RDONLY | os.O_CREAT, 0o644), streams)


def _reader_gone(streams, _):
    read_end, write_end = os.pipe()
    os.close(read_end)
    _to(write_end, streams)


def _reader_gone_ignored(streams, folder):
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    _reader_gone(streams, folder)


def _reader_gone_blocked(streams, folder):
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPIPE])
    _reader_gone(streams, folder)


def _peer_gone(streams, _):
    here, there = socket.socketpair()
    there.close()
    _to(here.detach(), streams)


def _full_pipe(streams, _):
    """A full non-blocking pipe without a reader: a write fails with EAGAIN."""
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    os.write(write_end, b"x" * PIPE_SIZE)
    os.dup2(read_end, 99)
    _to(write_end, streams)


def _full_disk(streams, folder):
    """`folder`/disk is a file system without a free block."""
    _to(os.open(f"{folder}/disk/out", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644), streams)


def _file(streams, folder):
    _to(os.open(f"{folder}/out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), streams)


def _size_limit(streams, folder):
    _file(streams, folder)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (3, 3))


def _terminal(streams, _):
    controller, terminal = os.openpty()
    os.dup2(controller, 98)
    _to(terminal, streams)


def _closed(streams, _):
    for stream in streams:
        os.close(stream)


SINKS = {
    "file": _file,
    "terminal": _terminal,
    "full": _full,
    "read-only": _read_only,
    "reader-gone": _reader_gone,
    "reader-gone-ignored": _reader_gone_ignored,
    "reader-gone-blocked": _reader_gone_blocked,
    "peer-gone": _peer_gone,
    "full-pipe": _full_pipe,
    "full-disk": _full_disk,
    "size-limit": _size_limit,
    "closed": _closed,
}
