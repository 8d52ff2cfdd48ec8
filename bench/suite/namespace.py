"""The contents of a topic's namespace."""

import ctypes
import subprocess

from .measurement import configure, run

CLONE_NEWNET = 0x40000000
GROUP = 7  # the device group of the additional links


def standard():
    """A bridge with a port, and a routed link with a neighbour's address."""
    configure(
        [
            "link set lo up",
            "link add br0 type bridge",
            "link add v0 type veth peer name v1",
            "link set v0 master br0 up",
            "link set v1 up",
            "link set br0 up",
            "addr add 10.0.0.1/24 dev v1",
            "addr add 10.0.1.1/24 dev br0",
        ]
    )


def many_links(count):
    """Adds so many links. Call remove_links() before the topic ends, or the kernel removes them later, during the next
    topic's measurements."""
    configure(
        ["link add base type veth peer name base1"]
        + [f"link add link base name other{i} group {GROUP} type macvlan mode bridge" for i in range(count)]
    )


def remove_links():
    run("ip", "link", "del", "base")


def enter(file):
    """Moves this process, and its later children, to the descriptor's network namespace."""
    if ctypes.CDLL(None, use_errno=True).setns(file, CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "setns")


def leave(base):
    """Like enter_new, but first removes the devices on the link `base`: otherwise the kernel's clean-up would run during the next
    measurement, and hold the RTNL lock."""
    subprocess.run(["ip", "link", "del", base], capture_output=True, check=False)
    enter_new()


def enter_new():
    """Moves this process, and its later children, to a fresh network namespace."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
