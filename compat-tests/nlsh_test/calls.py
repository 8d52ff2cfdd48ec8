# Calls libc's popen() and system() as a C program does, for programs under the preload. Import it, or put it before the text of `python3 -c`.

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
libc.popen.restype = ctypes.c_void_p
libc.pclose.argtypes = libc.fileno.argtypes = [ctypes.c_void_p]


def system(line: str) -> int:
    """Runs the line; returns its wait status."""
    return libc.system(os.fsencode(line))


def popen(line: str) -> tuple[str, int]:
    """Runs the line; returns its output and wait status."""
    stream, text = libc.popen(os.fsencode(line), b"r"), b""
    while piece := os.read(libc.fileno(stream), 65536):
        text += piece
    return os.fsdecode(text), libc.pclose(stream)


def enter_network():
    """Moves the calling thread, and its later children, to a network namespace of its own."""
    if libc.unshare(0x40000000) != 0:  # CLONE_NEWNET
        raise OSError(ctypes.get_errno(), "unshare(CLONE_NEWNET)")
