"""The paths of builds, sources and tools. NLSH_BUILD selects another build than build/release, for sanitizers."""

import os
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
ROOT = TESTS.parent
CALLS = (TESTS / "nlsh_test" / "calls.py").read_text()  # to put before a program's text, for `python3 -c`
RELEASE = ROOT / "build" / "release"
BUILD = ROOT / os.environ.get("NLSH_BUILD", RELEASE)
NLSH = BUILD / "nlsh"
SANITIZED = BUILD != RELEASE
# iproute2's name files: Debian 13 has them in the latter folder
NAMES = next(
    (folder for folder in map(Path, ("/etc/iproute2", "/usr/share/iproute2")) if (folder / "rt_tables").is_file()), Path("/etc/iproute2")
)
# The preload of another build (a sanitizer's has none), or of another release (versions.bats).
_PRELOADS = [folder / "libnlsh-preload.so" for folder in (ROOT / os.environ.get("NLSH_PRELOAD_BUILD", RELEASE), BUILD)]
PRELOAD = next((path for path in _PRELOADS if path.exists()), _PRELOADS[0])
