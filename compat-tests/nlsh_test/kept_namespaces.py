"""Which network namespaces a process keeps alive by its open files."""

import contextlib
import ctypes
import fcntl
import os

SYS_PIDFD_GETFD = 438  # the number on each architecture (pidfd_getfd(2))
SIOCGSKNS = 0x894C  # linux/sockios.h: the network namespace of a socket


def _namespace_of_socket(pid_descriptor, number):
    """The inode of the namespace of a process's socket; None if the descriptor isn't a socket, or has been closed."""
    copy = ctypes.CDLL(None).syscall(SYS_PIDFD_GETFD, pid_descriptor, number, 0)
    if copy < 0:
        return None
    try:
        namespace = fcntl.ioctl(copy, SIOCGSKNS)
    except OSError:
        return None
    finally:
        os.close(copy)
    try:
        return os.fstat(namespace).st_ino
    finally:
        os.close(namespace)


def keeps(pid, inode):
    """Whether a descriptor of the process is that network namespace, or a socket in it."""
    pid_descriptor = os.pidfd_open(pid)
    try:
        for name in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(FileNotFoundError):
                file = os.readlink(f"/proc/{pid}/fd/{name}")
                if file == f"net:[{inode}]" or _namespace_of_socket(pid_descriptor, int(name)) == inode:
                    return True
        return False
    finally:
        os.close(pid_descriptor)
