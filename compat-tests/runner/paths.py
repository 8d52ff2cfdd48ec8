"""Where things are."""

from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
ROOT = TESTS.parent
SCENARIOS = TESTS / "scenarios"
RESULTS = TESTS / "results"
RATCHET = TESTS / "ratchet.json"
TOOLS = ROOT / "build" / "compat"
NLSH = ROOT / "build" / "release" / "nlsh"
PRELOAD = ROOT / "build" / "release" / "libnlsh-preload.so"
