"""Another Debian, whose iproute2 is the reference: the runner runs itself inside of it."""

import functools
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from . import paths

SUITES = ("bullseye", "bookworm", "trixie", "forky", "sid")
GUEST = "/guest"  # in the kernel's root: the guest's root
_OWN = {(6, 1): None, (6, 15): "trixie"}  # a machine's suite, by its iproute2; None: labels don't name it
_KERNEL = Path("/opt/kernel")  # in the guest's root: the kernel's root

# Each root is an overlay that is thrown away, with this machine's devices, its /tmp and the checkout. $1 the reference's
# root (bullseye's: only its iproute2, over this machine), $2 where User-Mode Linux and its modules come from; the rest is the command.
_ENTER = """
set -e
mount --make-rprivate /
mount -t tmpfs roots /mnt
root() { # NAME LOWER
    mkdir -p /mnt/$1.upper /mnt/$1.work /mnt/$1
    mount -t overlay overlay -o "lowerdir=$2,upperdir=/mnt/$1.upper,workdir=/mnt/$1.work" /mnt/$1
    for each in /proc /sys /dev /tmp "$CHECKOUT"; do
        mkdir -p "/mnt/$1$each"
        mount --rbind "$each" "/mnt/$1$each"
    done
}
case $1 in
    *:/) cp -a "${1%:/}" /mnt/over && root guest /mnt/over:/ ;; # the layers of an overlay can't overlap
    *) root guest "$1" ;;
esac
root kernel "$2"
mkdir -p /mnt/guest/usr/lib/uml/modules /mnt/guest/opt/kernel /mnt/kernel/guest
mount --bind /mnt/kernel/usr/lib/uml/modules /mnt/guest/usr/lib/uml/modules
mount --rbind /mnt/guest /mnt/kernel/guest
mount --rbind /mnt/kernel /mnt/guest/opt/kernel
shift 2
exec chroot /mnt/guest "$@"
"""


class NoRoot(Exception):
    """The reason."""


def _root(suite: str) -> str:
    run = subprocess.run([paths.TESTS / "boot" / "root", "--reference", suite], stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        raise NoRoot(run.stdout.strip() or f"no root of {suite}")
    return run.stdout.strip()


def enter(debian: str | None, kernel: str | None, folder: Path, command: list[str]):
    """Replaces this process by the command inside that Debian."""
    lower = _root(debian) if debian else "/"
    if debian == "bullseye":
        lower += ":/"
    kernel_root = _root(kernel) if kernel else "/"
    environment = os.environ | {
        "CHECKOUT": str(paths.ROOT),
        "NLSH_RUNNER_INSIDE": "1",
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "LC_ALL": "C.UTF-8",
    }
    sys.stdout.flush()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it
    os.execvpe(
        "unshare",
        ["unshare", "-m", "sh", "-c", _ENTER, "sh", lower, kernel_root, "/bin/sh", "-c", 'cd "$0" && exec "$@"', str(folder), *command],
        environment,
    )


def inside() -> bool:
    return "NLSH_RUNNER_INSIDE" in os.environ


def kernel_command() -> list[str]:
    """What comes before User-Mode Linux's arguments, and where its root is then."""
    if _KERNEL.is_dir():
        return ["chroot", str(_KERNEL), "linux.uml", f"rootflags={GUEST}"]
    return ["linux.uml", "rootflags=/"]


@functools.cache
def version() -> tuple[int, ...]:
    """The reference's own version, such as (6, 15)."""
    said = subprocess.run(["ip", "-V"], capture_output=True, text=True).stdout
    found = re.search(r"iproute2-(\d+)\.(\d+)", said)
    return tuple(map(int, found.groups())) if found else (0, 0)


def label(lane: str, debian: str | None, kernel: str | None) -> str:
    """What a run's results and its part of the ratchet are called: `guest`, `guest-trixie`, `guest-trixie-kernel-trixie`. On a
    machine of another Debian than 12 that Debian is named."""
    if not debian and not inside() and (own := _OWN.get(version(), "other")):
        debian, kernel = own, kernel or (own if lane == "guest" else None)
    return "-".join([lane, *([debian] if debian else []), *(["kernel", kernel] if kernel else [])])
