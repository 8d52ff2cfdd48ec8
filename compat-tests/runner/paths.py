"""Where things are."""

from nlsh_test.place import NLSH, PRELOAD, ROOT, TESTS

__all__ = ["NLSH", "PRELOAD", "ROOT"]
SERVE = TESTS / "nlsh_test" / "serve.sh"
SCENARIOS = TESTS / "scenarios"
RESULTS = TESTS / "results"
RATCHET = TESTS / "ratchet.json"
TOOLS = ROOT / "build" / "compat"
