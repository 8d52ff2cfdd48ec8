"""swss.scn must contain each of SwSS's 110 ip/bridge command lines, verbatim."""

import unittest

from runner import paths, scenario


class SwssLines(unittest.TestCase):
    def test_each_line_is_tested(self):
        wanted = (paths.TESTS / "swss-lines.txt").read_text().removesuffix("\n").split("\n")
        self.assertEqual(len(set(wanted)), 110)
        blocks = scenario.read(paths.SCENARIOS / "swss.scn")
        tested = {line.text for block in blocks for line in block.lines if not line.setup}
        self.assertEqual([line for line in wanted if line not in tested], [])


if __name__ == "__main__":
    unittest.main()
