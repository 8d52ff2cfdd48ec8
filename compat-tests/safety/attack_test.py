"""Runs each attack of the table (attacks/): the result equals the real iproute2's, or differs for a reason that the row states.

NLSH_ATTACKS_EVERY=N runs every Nth attack, NLSH_ATTACK=REGEX those with a matching name. Prints a line for each."""

import os
import re
import unittest

from . import arena, bench
from .attacks import table

ATTACKS = table()


def chosen() -> list:
    every, text = int(os.environ.get("NLSH_ATTACKS_EVERY") or 1), os.environ.get("NLSH_ATTACK", "")
    return [attack for attack in ATTACKS[::every] if re.search(text, attack.name)]


def verdict(outcome) -> str:
    if outcome.native and all(outcome.native):
        return "native"
    return "partly native" if any(outcome.native) else "fallback"


class Attacks(unittest.TestCase):
    maxDiff = None

    def test_table(self):
        names = [attack.place_name() for attack in ATTACKS]
        self.assertEqual(len(set(names)), len(names))
        ground = arena.Ground(bench)
        for attack in chosen():
            real = ground.run(attack, "real")
            for way in ("server", "inproc"):
                with self.subTest(attack.name, way=way):
                    self.judge(attack, way, real, ground.run(attack, way))

    def judge(self, attack, way: str, real, ours):
        """Compares the two outcomes and prints the verdict."""
        same = ours.seen(attack.unordered) == real.seen(attack.unordered)
        reason = attack.deviates.get(way, "")
        print(
            f"{'same' if same else 'deviates: ' + reason if reason else 'DIFFERENT'} | {verdict(ours)} | {way} | {attack.name}"
            f"{' | ' * bool(ours.reasons)}{'; '.join(ours.reasons)}",
            flush=True,
        )
        if not reason:
            self.assertEqual(ours.seen(attack.unordered), real.seen(attack.unordered))
        self.assertNotEqual(ours.ended, 999, "hangs")
        if not attack.dies:
            self.assertRegex(ours.server, f"^{attack.said}$")
        wanted = attack.inproc if way == "inproc" and attack.inproc != "likewise" else attack.native
        if wanted is not None:
            self.assertEqual(verdict(ours), "native" if wanted else "fallback")
