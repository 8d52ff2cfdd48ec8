"""dpkg replaces iproute2's or nlsh's packages while programs call, in roots of Debian 12 and 13 (boot/root).

No call fails. Each call equals the old or the new build's; after dpkg has ended, the new build's."""

import subprocess
import sys
import unittest
from pathlib import Path

from . import bench

ROOT = bench.ROOT
SECONDS = 300
# The first process in the root. Arguments: the folders of programs and tests.
ENTER = """
set -e
mount --make-rprivate /
mkdir -p upper work root
mount -t overlay overlay -o "lowerdir=$1,upperdir=$PWD/upper,workdir=$PWD/work" root
mount -t proc proc root/proc
for folder in run tmp dev; do mount -t tmpfs -o mode=755 tmpfs root/$folder; done
for device in null zero full random urandom; do touch root/dev/$device; mount --bind /dev/$device root/dev/$device; done
shift
for folder in build tests packages old; do
    mkdir -p root/$folder
    [ -z "$1" ] || mount --bind -o ro "$1" root/$folder
    shift
done
printf '#!/bin/sh\\nexit 101\\n' >root/usr/sbin/policy-rc.d  # nothing is started
chmod 755 root/usr/sbin/policy-rc.d
cd root
mkdir -p mnt
pivot_root . mnt
exec chroot . /bin/sh -ec 'umount -l /mnt; exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"' sh "$@"
"""


def root_of(suite: str) -> str:
    done = subprocess.run([ROOT / "compat-tests/boot/root", suite], capture_output=True, text=True)
    if done.returncode == 77:
        raise unittest.SkipTest(done.stdout.strip())
    done.check_returncode()
    return done.stdout.strip()


def folder_or_none(path: Path) -> str:
    return str(path) if path.is_dir() else ""


class Upgrades(unittest.TestCase):
    maxDiff = None

    def inside(self, suite: str, what: str):
        root = root_of(suite)
        place = Path(f"/run/upgrade-{suite}-{what}")
        place.mkdir()
        words = [
            root,
            str(bench.BUILD),
            str(ROOT / "compat-tests"),
            folder_or_none(bench.BUILD / "packages"),
            folder_or_none(ROOT / "build/old/97c4720"),
            "/usr/bin/python3",
            "-B",
            "/tests/safety/upgrade_inside.py",
            what,
        ]
        done = subprocess.run(
            ["unshare", "-n", "-m", "-p", "--fork", "--kill-child", "sh", "-c", ENTER, "sh", *words],
            cwd=place,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        print(done.stdout, end="", flush=True)
        if done.returncode == 77:
            self.skipTest(done.stdout)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_iproute2(self):
        """Replaces the root's iproute2 by Debian 12's, which is another version in Debian 13's root."""
        for suite in ("bookworm", "trixie"):
            for engine in ("server", "inproc"):
                with self.subTest(suite, engine=engine):
                    self.inside(suite, f"iproute2-{engine}")

    def test_nlsh(self):
        """An older commit's packages (boot/old), then today's: old preload and new server, new preload and old server."""
        for suite in ("bookworm", "trixie"):
            with self.subTest(suite):
                self.inside(suite, "nlsh")


if __name__ == "__main__":
    sys.exit(unittest.main())
