"""The program of an attack (arena.py): arena_caller.py REPORT SERVER. Runs the row's lines, or the row's Python, which calls these functions."""

import ctypes
import fcntl
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time

libc = ctypes.CDLL(None, use_errno=True)
libc.popen.restype = ctypes.c_void_p
libc.pclose.argtypes = libc.fileno.argtypes = [ctypes.c_void_p]
server = int(sys.argv[2])  # the server's pid; 0: no server
with open(os.path.join(os.path.dirname(sys.argv[1]), "row")) as file:
    row = json.load(file)
lines = [line.encode(errors="surrogateescape") for line in row["lines"]]
_opened = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
_report = fcntl.fcntl(_opened, fcntl.F_DUPFD_CLOEXEC, 60)
os.close(_opened)
for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them
    signal.signal(number, signal.SIG_DFL)


def note(*what):
    os.write(_report, (json.dumps([each.decode(errors="replace") if isinstance(each, bytes) else each for each in what]) + "\n").encode())


def call_system(line: bytes) -> int:
    return libc.system(line)


def call_popen(line: bytes):
    ctypes.set_errno(0)
    stream = libc.popen(line, b"r")
    if not stream:
        return None, ctypes.get_errno()
    text = b""
    while piece := os.read(libc.fileno(stream), 65536):
        text += piece
    return text, libc.pclose(stream)


NAME = 100  # bytes of a line that the report shows


def system(line: bytes):
    note("system", line[:NAME], call_system(line))


def popen(line: bytes):
    text, status = call_popen(line)
    note("popen", line[:NAME], status, text)


def both(*chosen: bytes):
    for line in chosen or lines:
        system(line)
        popen(line)


def warm(times: int = 15):
    """Makes a burst of calls, so that connections are kept and results are cached."""
    for _ in range(times):
        libc.system(b"ip link set lo up # warm")


def stop(process: int):
    """Waits until all threads have stopped: on a busy machine a running thread could still read a request, and hold its caller."""
    os.kill(process, signal.SIGSTOP)

    def states():
        return {
            open(f"/proc/{process}/task/{task}/stat").read().rsplit(")", 1)[1].split()[0] for task in os.listdir(f"/proc/{process}/task")
        }

    while states() != {"T"}:
        time.sleep(0.005)


def call(name: str, *arguments):
    if (result := getattr(libc, name)(*arguments)) < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def limit(name: str, *values: int):
    resource.setrlimit(getattr(resource, "RLIMIT_" + name), values if len(values) == 2 else values * 2)


def fork(action) -> int:
    """Runs the action in a child; returns its wait status."""
    child = os.fork()
    if child == 0:
        try:
            action()
            os._exit(0)
        except BaseException as error:
            note("child", repr(error))
        finally:
            os._exit(99)
    return os.waitpid(child, 0)[1]


exec(row["within"] or "warm(); both()")
