"""What a topic's namespace holds."""

import ctypes
import subprocess

from .measurement import configure, run

CLONE_NEWNET = 0x40000000
GROUP = 7  # of the links that are only there to be many


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
    """So many more links; before the topic's end remove_links() should take them away, or the kernel does it later,
    under the measurements of the next topic."""
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
    """As enter_new; what stands on the link `base` is gone by then: the kernel's own cleaning up would go on beneath
    the next measurement, and hold its lock."""
    subprocess.run(["ip", "link", "del", base], capture_output=True, check=False)
    enter_new()


def enter_new():
    """Moves this process, and its later children, to a fresh network namespace."""
    if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
