"""libnlsh.so.0's functions and structures, as nlsh.h has them."""

import ctypes
import os


class CFailure(ctypes.Structure):
    """struct nlsh_failure"""

    _fields_ = [
        ("position", ctypes.c_int),
        ("command", ctypes.c_char_p),
        ("status", ctypes.c_int),
        ("error", ctypes.c_int),
        ("extack", ctypes.c_char_p),
        ("message", ctypes.c_char_p),
    ]


class CResult(ctypes.Structure):
    """struct nlsh_result; later versions may have more members at its end. Texts with a size may have NULs."""

    _fields_ = [
        ("status", ctypes.c_int),
        ("output", ctypes.c_void_p),
        ("output_size", ctypes.c_size_t),
        ("error", ctypes.c_void_p),
        ("error_size", ctypes.c_size_t),
        ("fallback", ctypes.c_char_p),
        ("failure_count", ctypes.c_size_t),
        ("failures", ctypes.POINTER(CFailure)),
    ]


def _load() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL("libnlsh.so.0", use_errno=True)
    except OSError as error:
        raise ImportError(f"nlsh needs libnlsh (Debian: libnlsh0): {error}") from error
    library.nlsh_open.argtypes = [ctypes.c_uint, ctypes.c_char_p]
    library.nlsh_open.restype = ctypes.c_void_p
    library.nlsh_close.argtypes = [ctypes.c_void_p]
    library.nlsh_close.restype = None
    library.nlsh_run.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.POINTER(CResult)), ctypes.c_char_p]
    library.nlsh_run.restype = ctypes.c_int
    library.nlsh_free.argtypes = [ctypes.POINTER(CResult)]
    library.nlsh_free.restype = None
    library.nlsh_version.argtypes = []
    library.nlsh_version.restype = ctypes.c_char_p
    return library


C = _load()


def errno_error() -> OSError:
    """What the last call of this thread set errno to."""
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))


class Pointer:
    """A struct nlsh_handle, closed with its last reference: no call can be using it then."""

    def __init__(self, way: int, socket: bytes | None):
        self.owner = os.getpid()
        self.address = C.nlsh_open(way, socket)
        if not self.address:
            raise errno_error()

    # In a forked child it is left alone: another thread may have been using it when the process forked.
    def __del__(self) -> None:
        if self.address and os.getpid() == self.owner:
            C.nlsh_close(self.address)
