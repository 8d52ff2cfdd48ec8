"""The verdicts of the matrix: they report differences, but not late changes by the kernel."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from environments import compare, rows  # noqa: E402
from environments.lines import STATE  # noqa: E402

LINES = ["ip link set v0 mtu 1400", "/bin/echo 1 > /proc/sys/net/x"]
LINK = '[{"ifindex":2,"ifname":"v0","flags":["UP","LOWER_UP"],"mtu":1500,"operstate":"UP"},{"ifindex":3,"ifname":"v1"}]\n'


def answer(out: str = "", status: int = 0, verdict: str = "native", reason: str = "", state: str = LINK) -> dict:
    calls = [["popen", verdict, reason, "spawned: no server"]] if verdict else []
    return {"lines": [{"status": status, "out": out, "error": "", "calls": calls}] * 2, "state": [state] * len(STATE)}


class Verdicts(unittest.TestCase):
    def check(self, ours: dict, **expected):
        cell = compare.verdict(answer(), ours, LINES)
        self.assertEqual({key: cell.get(key) for key in expected}, expected)

    def test_native(self):
        self.check(answer(), native=2, ways={"spawned": 2}, fallback=None, different=[])

    def test_fallback_has_its_reason(self):
        self.check(answer(verdict="fallback", reason="seccomp"), native=None, fallback=2, reasons={"seccomp": 2}, different=[])

    def test_a_fallback_without_reason_is_named(self):
        self.check(answer(verdict="fallback"), reasons={"no reason given": 2})

    def test_a_line_that_nlsh_never_saw(self):
        self.check(answer(verdict=""), fallback=1, not_ours=1, reasons={"not reached": 1})

    def test_output_status_and_state_count(self):
        for ours in (answer(out="x"), answer(status=1), answer(state=LINK.replace("1500", "1400"))):
            self.assertTrue(compare.verdict(answer(), ours, LINES)["different"])

    def test_what_comes_late_does_not(self):
        self.check(answer(state=LINK.replace('"operstate":"UP"', '"operstate":"DOWN"').replace(',"LOWER_UP"', "")), different=[])

    def test_an_environment_that_could_not_be_made(self):
        self.assertEqual(compare.verdict({"could_not": "no runc"}, answer(), LINES), {"could_not": "no runc"})

    def test_a_program_that_fails_with_nlsh_alone(self):
        self.assertTrue(compare.verdict(answer(), {"could_not": "took more than 60 s"}, LINES)["different"])


class Rows(unittest.TestCase):
    def test_names_are_unique(self):
        names = [row.name for row in rows.ROWS]
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
