#!/usr/bin/env python3
"""Makes a chroot's root the root of a mount namespace of its own, and executes a command there: in a chroot the kernel makes no user namespaces,
and whoever enters a mount namespace comes out of the chroot. Without a chroot, or the rights, only executes the command.

root_of_mounts.py COMMAND…
"""

import ctypes
import os
import signal
import sys

CLONE_NEWNS, MS_BIND, MS_REC, MS_SLAVE, MNT_DETACH = 0x20000, 0x1000, 0x4000, 0x80000, 2  # <sched.h>, <sys/mount.h>


def call(name: str, *arguments: int | bytes | None) -> None:
    if getattr(LIBC, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)


def take_root() -> None:
    call("unshare", CLONE_NEWNS)
    root, directory = os.open("/", os.O_RDONLY | os.O_DIRECTORY), os.getcwd()
    call("setns", os.open("/proc/self/ns/mnt", os.O_RDONLY), 0)  # its root is the namespace's then
    if os.path.samestat(os.stat("/"), os.fstat(root)):
        os.chdir(directory)
        return
    call("mount", None, b"/", None, MS_REC | MS_SLAVE, None)
    os.fchdir(root)
    place = os.fsencode(os.getcwd())
    call("mount", place, place, None, MS_BIND | MS_REC, None)
    os.chdir(place)
    call("pivot_root", b".", b".")
    call("umount2", b".", MNT_DETACH)
    os.chdir(directory)


LIBC = ctypes.CDLL(None, use_errno=True)
try:
    take_root()
except OSError as error:
    print(f"a chroot stays one: {error}", file=sys.stderr)
signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it
os.execvp(sys.argv[1], sys.argv[1:])
