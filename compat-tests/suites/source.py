"""The kernel's selftests, fetched from Debian's source package; the repository contains none of them."""

import shutil
import subprocess
from pathlib import Path

from runner import paths

FOLDER = paths.ROOT / "build" / "foreign"
NET = FOLDER / "linux-source-6.1" / "tools" / "testing" / "selftests" / "net"
PACKAGE = "linux-source-6.1"
# The programs that the tests run besides ip and bridge.
PROGRAMS = {"jq": "jq", "uuidgen": "uuid-runtime", "mausezahn": "netsniff-ng", "ping": "iputils-ping", "tc": "iproute2"}
_UNPACK = """
set -e
apt-get -q download -o APT::Sandbox::User=root {package} || {{ apt-get -q update; apt-get -q download -o APT::Sandbox::User=root {package}; }}
dpkg-deb --fsys-tarfile {package}_*.deb | tar -xO ./usr/src/{package}.tar.xz | xz -dc |
    tar -x --wildcards '*/tools/testing/selftests/net/*'
rm {package}_*.deb
"""


def fetch() -> Path:
    """The folder of the tests, after a download of 140 MB the first time."""
    if not (NET / "altnames.sh").exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        subprocess.run(["sh", "-c", _UNPACK.format(package=PACKAGE)], cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)
    forwarding = NET / "forwarding"
    shutil.copy(forwarding / "forwarding.config.sample", forwarding / "forwarding.config")  # how the suite is configured
    missing = sorted({package for program, package in PROGRAMS.items() if shutil.which(program) is None})
    if missing:
        subprocess.run(["apt-get", "-q", "install", "-y", "--no-install-recommends", *missing], check=True, stdout=subprocess.DEVNULL)
    return NET
