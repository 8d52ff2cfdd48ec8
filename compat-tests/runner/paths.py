"""Where things are."""

import os
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
ROOT = TESTS.parent
SCENARIOS = TESTS / "scenarios"
RESULTS = TESTS / "results"
RATCHET = TESTS / "ratchet.json"
TOOLS = ROOT / "build" / "compat"
NLSH = ROOT / os.environ.get("NLSH_BUILD", "build/release") / "nlsh"  # another build's, for sanitizers
# The preload of another build (a sanitizer's has none), or of another release (versions.bats).
_PRELOADS = [folder / "libnlsh-preload.so" for folder in (ROOT / os.environ.get("NLSH_PRELOAD_BUILD", "build/release"), NLSH.parent)]
PRELOAD = next((path for path in _PRELOADS if path.exists()), _PRELOADS[0])
