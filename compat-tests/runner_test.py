"""The harness's own parts: formats, masks, verdicts."""

import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

from runner import block, build, lane, report, scenario, short, verdict, worker
from runner.masks import Masks
from runner.ways import REFERENCE, Trace, Way, reached_by_shim


def read(text: str, version: tuple[int, int] | None = None) -> list[scenario.Block]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.scn"
        path.write_text(text)
        return scenario.read(path, version)


class Scenarios(unittest.TestCase):
    def test_directives(self):
        first, second = read(
            "# about\n## one\n#: needs vlan, vrf\n#: lane guest\n#: mask counters\n#: setup\n"
            "ip link add d0 type dummy\n#: test\n ip link show d0 \n#: deviation a reason\nip link\n"
            "## two\n#: link-local\nip addr\n"
        )
        self.assertEqual(first.needs, ["vlan", "vrf"])
        self.assertEqual((first.lane, first.masks, first.link_local), ("guest", ["counters"], False))
        self.assertEqual(
            [(line.text, line.setup, line.deviation) for line in first.lines],
            [("ip link add d0 type dummy", True, None), (" ip link show d0 ", False, None), ("ip link", False, "a reason")],
        )
        self.assertEqual((second.title, second.link_local, len(second.lines)), ("two", True, 1))

    def test_versions(self):
        text = "## both\nip link\n#: since 6.15\nip rule\n#: until 6.15\nip route\nip neigh\n## new\n#: since 6.15\nip link\nip addr\n"
        lines = {
            version: [[line.text for line in block.lines] for block in read(text, version)] for version in (None, (6, 1), (6, 15), (6, 17))
        }
        self.assertEqual(lines[None], [["ip link", "ip rule", "ip route", "ip neigh"], ["ip link", "ip addr"]])
        self.assertEqual(lines[6, 1], [["ip link", "ip route", "ip neigh"]])
        self.assertEqual(lines[6, 15], [["ip link", "ip rule", "ip neigh"], ["ip link", "ip addr"]])
        self.assertEqual(lines[6, 17], lines[6, 15])

    def lines(self, text: str, version: tuple[int, int] | None = None) -> list[str]:
        return [line.text for line in read(text, version)[-1].lines]

    def test_setup_of_another_block(self):
        text = "## a\n#: setup\nip link add d0 type dummy\n#: test\nip link\n## b\n#: setup a\nip link set d0 up\n#: test\nip addr\n"
        self.assertEqual(self.lines(text), ["ip link add d0 type dummy", "ip link set d0 up", "ip addr"])
        self.assertEqual([line.setup for line in read(text)[1].lines], [True, True, False])

    def test_lines_after_each(self):
        text = "## a\n#: then ip link show $4\n#: then x\nip link set d0 up\n#: since 6.15\nip link set d1 up\n#: then y\na\n#: end\nb\n"
        after = ["y", "b"]
        self.assertEqual(
            self.lines(text), ["ip link set d0 up", "ip link show d0", "x", "ip link set d1 up", "ip link show d1", "x", "a", *after]
        )
        self.assertEqual(self.lines(text, (6, 1)), ["ip link set d0 up", "ip link show d0", "x", "a", *after])

    def test_lines_for_each(self):
        text = "## a\n#: for -4\n#: for -6 -d\nip {} link\nip {} addr\n#: for x\necho {}\n#: end\nb\n"
        self.assertEqual(self.lines(text), ["ip -4 link", "ip -4 addr", "ip -6 -d link", "ip -6 -d addr", "echo x", "b"])

    def test_mistakes(self):
        for text in (
            "## a\n#: setup b\n## b\n",
            "## a\n#: then ip link show $4\nip link\n",
            "## a\n#: for x\n#: then y\n",
            "## a\n#: since\n",
            "## a\n#: since six\n",
            "ip link\n",
            "## a\n#: nonsense\n",
            "## a\n#: mask nosuch\n",
            "## a\n## a\n",
        ):
            with self.assertRaises(scenario.ScenarioError):
                read(text)


class MaskRules(unittest.TestCase):
    def masked(self, text: bytes, named: bytes = b"", names: tuple[str, ...] = ()) -> bytes:
        return Masks(named, list(names)).apply(text)

    def test_numbers_that_no_mask_hides(self):
        for text in (
            b"    base_reachable 30.0s ucast_probes 3 mcast_probes 3 app_probes 0\n",
            b'"app_probes":0,"ucast_probes":3,"mcast_probes": 3',
            b"max_idle_time 120 unused 5 mtu_expires 600sec\n",
            b'"forward_delay": 15.00,\n"ageing_time":300.00,',
            b'{"rate": 12.50}\n',
            b"forward_delay 1500 hello_time 200 max_age 2000 ageing_time 30000\n",
            b"mtu 1500 qdisc noqueue group 7 qlen 1000\n",
        ):
            self.assertEqual(self.masked(text), text)

    def test_numbers_that_run(self):
        for text, masked in (
            (b"10.0.0.1 lladdr 02:00:00:00:00:01 used 3/2/1 probes 4 REACHABLE\n", b"used * probes *"),
            (b'"used": 3,"updated":2,"probes": 4', b'"used": *,"updated":*,"probes": *'),
            (b"dev br0 port v0 grp 239.1.1.1 temp  259.96\n", b"temp  *\n"),
            (b'"timer":"  12.34"', b'"timer":"  *"'),
            (b"source_list 10.0.0.1/0.00,10.0.0.2/12.50 proto kernel\n", b"10.0.0.1/*,10.0.0.2/* proto kernel\n"),
            (b"valid_lft 86399sec preferred_lft 14399sec\n", b"valid_lft *sec preferred_lft *sec\n"),
            (b"ra metric 5 expires 99sec\n", b"expires *sec"),
        ):
            self.assertIn(masked, self.masked(text))

    def test_random_addresses(self):
        self.assertEqual(self.masked(b"link/ether 2e:11:22:33:44:55 brd ff:ff:ff:ff:ff:ff"), b"link/ether <random> brd ff:ff:ff:ff:ff:ff")
        self.assertEqual(self.masked(b"bridge_id 8000.2e:1:22:3:44:5 "), b"bridge_id 8000.<random> ")
        self.assertEqual(self.masked(b"inet6 fe80::2c11:22ff:fe33:4455/64"), b"inet6 <random>/64")

    def test_named_addresses_stay(self):
        for text in (
            b"link/ether 02:11:22:33:44:55 brd",
            b"inet6 fe80::11:22ff:fe33:4455/64 scope",
            b"bridge_id 8000.2:11:22:33:44:55 ",
            b"01:00:5e:00:00:01 dev v0",
        ):
            self.assertEqual(self.masked(text, b"ip link set v0 address 02:11:22:33:44:55"), text)

    def test_lifetimes(self):
        self.assertEqual(self.masked(b"valid_lft 86399sec preferred_lft forever"), b"valid_lft *sec preferred_lft forever")
        self.assertEqual(self.masked(b'"valid_life_time":4294967295'), b'"valid_life_time":4294967295')

    def test_multicast_neighbours(self):
        text = (
            b'{"dst":"ff02::16", "dev":"br", "lladdr":"33:33:00:00:00:16", "state":["NOARP"]}\n'
            b'{"dst":"10.0.0.1", "dev":"br", "lladdr":"00:33:00:00:00:16", "state":["NOARP"]}\n'
        )
        self.assertEqual(self.masked(text).count(b"\n"), 1)
        self.assertEqual(self.masked(b"ff02::16 dev br lladdr 33:33:00:00:00:16 NOARP \n"), b"")

    def test_orders_of_chance(self):
        self.assertEqual(
            self.masked(b"a\nmulticast ff00::/8 dev v1 x\nb\nmulticast ff00::/8 dev v0 x\n"),
            b"a\nmulticast ff00::/8 dev v0 x\nb\nmulticast ff00::/8 dev v1 x\n",
        )
        self.assertEqual(
            self.masked(b"10.0.0.3 dev v0 lladdr x NOARP \n10.0.0.2 dev v0 FAILED "),
            b"10.0.0.2 dev v0 FAILED \n10.0.0.3 dev v0 lladdr x NOARP ",
        )

    def test_unordered(self):
        self.assertEqual(self.masked(b"b\na", names=["unordered"]), b"a\nb")


class Ways(unittest.TestCase):
    def test_reached_by_shim(self):
        for line in ("ip link", " bridge fdb", "a && ip link", 'bash -c "ip link"', "x=$(ip link)", "(ip link)"):
            self.assertTrue(reached_by_shim(line), line)
        for line in ("/sbin/ip link", "echo ipx", "/sbin/bridge vlan", "sysctl -w net.ipv4.ip_forward=1"):
            self.assertFalse(reached_by_shim(line), line)

    def test_trace(self):
        with tempfile.NamedTemporaryFile() as file:
            trace = Trace(file.name)
            self.assertIsNone(trace.native())
            file.write(b"popen\tnative\t0\t31\tip link\t\n")
            file.flush()
            self.assertTrue(trace.native())
            file.write(b"popen\tnative\t0\t31\tip link\t\npopen\tfallback\t-\t-\tip\ta reason\treal\n")
            file.flush()
            self.assertFalse(trace.native())
            self.assertEqual(trace.reason, "a reason")


class Verdicts(unittest.TestCase):
    def run_blocks(self, text: str, way: Way = REFERENCE) -> list[tuple[str, str]]:
        build.tools()
        with mock.patch("runner.ways.explained_native", return_value=False):  # these ways have no nlsh
            verdicts = lane.run(read(text), "host", lane.Choice([way]), 1)
        return [(entry.where, entry.verdict) for entry in verdicts]

    def test_shows_are_told_from_changes(self):
        self.assertTrue(block.is_show("ip -d link show v0"))
        self.assertFalse(block.is_show("ip link set v0 up"))

    def test_equal(self):
        verdicts = self.run_blocks("## a\nip link show lo\nip link set lo up\nip link set nosuch up\n")
        self.assertEqual({what for _, what in verdicts}, {verdict.IDENTICAL})
        self.assertEqual([where for where, _ in verdicts][-2:], ["state", "witness"])

    def test_each_difference_is_seen(self):
        # An nlsh whose lines are spoilt: its output, its status, the state that it leaves.
        for spoilt in ("; echo more", " >&2", "; exit 3"):
            way = Way("spoilt", "x", words=("/bin/sh", "-c", f'eval "$1{spoilt}"', "sh"))
            self.assertIn(("ip link show lo", verdict.DIFFERENT), self.run_blocks("## a\nip link show lo\n", way))
        way = Way("spoilt", "x", words=("/bin/sh", "-c", "eval $1; ip link set lo mtu 1000", "sh"))
        self.assertEqual(
            self.run_blocks("## a\nip link set lo up\n", way),
            [("ip link set lo up", verdict.FALLBACK), ("state", verdict.DIFFERENT), ("witness", verdict.DIFFERENT)],
        )

    def test_a_line_that_hangs(self):
        way = Way("hangs", "x", words=("/bin/sh", "-c", "sleep 60"))
        with mock.patch.object(worker, "LINE_SECONDS", 1):
            before = time.monotonic()
            verdicts = self.run_blocks("## a\nip link set lo up\nip link set lo down\n## b\n#: setup\ntrue\n", way)
        self.assertLess(time.monotonic() - before, 20)
        self.assertEqual(verdicts[:2], [("ip link set lo up", verdict.DIFFERENT), ("ip link set lo down", verdict.COULD_NOT_RUN)])
        self.assertIn(("state", verdict.IDENTICAL), verdicts)

    def test_what_cannot_run(self):
        verdicts = self.run_blocks(
            "## a\n#: needs nosuchkind\nip link\n## b\n#: lane guest\nip link\n## c\n#: setup\nfalse\n#: test\nip link\n"
        )
        self.assertEqual({what for _, what in verdicts}, {verdict.COULD_NOT_RUN})

    def test_deviations(self):
        text = "## a\n#: deviation it says more\nip link show lo\n"
        way = Way("spoilt", "x", words=("/bin/sh", "-c", 'eval "$1"; echo more', "sh"))
        self.assertIn(("ip link show lo", verdict.DEVIATION), self.run_blocks(text, way))
        self.assertIn(("ip link show lo", verdict.DIFFERENT), self.run_blocks(text))


class Short(unittest.TestCase):
    def test_each_kind_and_need_once_by_few_lines(self):
        vlan = "ip link add v0 type vlan\n"
        blocks = read(
            "## long\n" + vlan + "ip link\n" * 20 + "## short\n" + vlan + "## vrf\n#: needs vrf\nip link\n"
            "## both again\n#: needs vrf\n" + vlan * 30
        )
        self.assertEqual([each.title for each in short.cover(blocks)], ["short", "vrf"])
        self.assertEqual(short.cover([]), [])


class Reports(unittest.TestCase):
    def test_ratchet(self):
        def entry(what: str) -> verdict.Verdict:
            return verdict.Verdict("host", "way", "block", "line", 1, what)

        with tempfile.TemporaryDirectory() as folder:
            with mock.patch("runner.paths.RATCHET", Path(folder) / "ratchet.json"):
                two = [entry(verdict.IDENTICAL), entry(verdict.MASKED), entry(verdict.FALLBACK)]
                self.assertTrue(report.ratchet("host", two, update=True))
                self.assertTrue(report.ratchet("host", two, update=False))
                with mock.patch("builtins.print"):
                    self.assertFalse(report.ratchet("host", two[1:], update=False))


if __name__ == "__main__":
    unittest.main()
