"""`nlsh -c` and callers of a server, compared with the real tools: cases that need more set-up than cli.bats has. Each test has a
network namespace."""

import os
import signal
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from nlsh_test import trace
from nlsh_test.namespace import NamespaceTest, enter_network, run
from nlsh_test.place import NLSH, PRELOAD
from nlsh_test.processes import NOBODY, started
from nlsh_test.server import stop
from nlsh_test.waiting import wait_for

# Bytes beyond ASCII: a letter in UTF-8, and a byte that isn't UTF-8.
DEVICES = (b"d\xc3\xa9", b"d\xff")
# Native in each locale.
FILTERS = (
    *("grep -c d", "grep -cv d", "grep -q d", "sed s/d/xx/", "wc -l", "wc -c", "awk '{print $2}'", "cut -c 1-6", "cut -d: -f 2"),
    *("tr d x", "sort", "uniq", "head -n 3", "tail -n 2", "cat", "LC_ALL=C grep -o d."),
)
# Native in locales whose characters are bytes.
BYTES = ("grep d", "grep -o d.", "grep -c d.:", "grep -ci D", "grep -qw d", "sed s/d./x/", "wc -w", "wc", "awk '/d.:/ {print $2}'")
# Values of COLORFGBG.
PALETTES = (
    *("", "0", "15", ";", ";0", "0;", "15;0", "0;15", "0;05", "0;00", "0;15 ", "0;0 ", "0; 0", "0;-1", "0;x", "0;8x", "0;0;"),
    *("0;default;15", "15;default;0", "default", *(f"0;{color}" for color in (*range(18), 71, 80, 231))),
)


def call(line: str) -> str:
    """A Lua program that prints the results of os.execute."""
    return f"print(os.execute([[{line}]]))"


class Commands(NamespaceTest):
    def test_a_link_moves_to_the_namespace_of_a_process_or_at_a_path(self):
        for pair in ("v0", "v1"), ("v2", "v3"):
            run("ip", "link", "add", pair[0], "type", "veth", "peer", "name", pair[1], check=True)
        process = started(self, ["unshare", "-n", "sleep", "60"])
        namespace = f"/proc/{process.pid}/ns/net"
        wait_for(lambda: os.readlink(namespace) != os.readlink("/proc/self/ns/net"))
        line = f"ip link set v1 netns {process.pid} && ip link set v3 netns {namespace}"
        self.assertEqual(run(NLSH, "-c", line, environment={"NLSH_TRACE": "trace"}).returncode, 0)
        for name in "v1", "v3":
            shown = run("nsenter", "-t", str(process.pid), "-n", "ip", "-br", "link", "show", name)
            self.assertTrue(shown.stdout.startswith(name.encode()), shown)
        self.assertTrue(trace.all_native("trace"))

    def test_a_namespace_that_is_not_there(self):
        run("ip", "link", "add", "v0", "type", "veth", "peer", "name", "v1", check=True)
        line = "ip link set v1 netns 4194303; ip link set v1 netns /nosuch"
        done, real = (run(*words, line, text=True) for words in ((NLSH, "-q", "-c"), ("sh", "-c")))
        self.assertIn("netns", real.stderr)
        self.assertEqual((done.returncode, done.stderr), (real.returncode, real.stderr))

    def natives(self, locale: str) -> int:
        """The number of filters that are native after a change."""
        native = 0
        for filter_ in BYTES + FILTERS:
            shows = f"ip -o link show type bridge | tr -s ' ' | cut -d' ' -f 2-5 | {filter_}; echo $?"
            runs = []
            for words in ("sh",), (NLSH, "-q"):
                enter_network()
                for device in DEVICES:
                    run("ip", "link", "add", device, "type", "bridge", check=True)
                environment = {"LC_ALL": locale} | ({"NLSH_TRACE": "trace"} if words[0] == NLSH else {})
                runs.append(run(*words, "-c", f"ip link set lo mtu 1400 && {shows}", environment=environment))
            self.assert_equal_runs(*runs, f"{locale}: {filter_}")
            native += trace.all_native("trace")
            Path("trace").unlink()
        return native

    def test_filters_after_a_change(self):
        """nlsh treats bytes beyond ASCII as the locale does, or the line falls back."""
        self.assertEqual(self.natives("C"), len(BYTES + FILTERS))
        self.assertEqual(self.natives("C.UTF-8"), len(FILTERS))

    def test_the_palette(self):
        for value in PALETTES:
            palette = {"COLORFGBG": value}
            real = run("ip", "-c=always", "link", "show", "lo", environment=palette)
            ours = run(NLSH, "-c", "ip -c=always link show lo", environment=palette | {"NLSH_TRACE": "trace"})
            self.assert_equal_runs(real, ours, value)
        self.assertEqual(trace.natives("trace"), len(PALETTES))


class Callers(NamespaceTest):
    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.environment = self.server.callers(PRELOAD, NLSH_TRACE=str(self.folder / "trace"))

    def test_a_stopped_server(self):
        stop(self.server.process)
        began = time.monotonic()
        done = run("lua5.4", "-e", call("ip link set lo mtu 1400"), environment=self.environment | {"NLSH_TIMEOUT_MS": "300"})
        self.assertLess(time.monotonic() - began, 5)
        self.server.send(signal.SIGCONT)
        self.assertEqual(done.stdout, b"true\texit\t0\n")
        self.assertIn(b"mtu 1400", run("ip", "link", "show", "lo").stdout)

    def test_a_caller_in_another_network_namespace(self):
        line = "ip link add br7 type bridge && ip -br link"
        there = run("unshare", "-n", "lua5.4", "-e", call(line), environment=self.environment)
        self.assertIn(b"br7", there.stdout)
        self.assertNotIn(b"br7", run("ip", "-br", "link").stdout)
        self.assertEqual([(each.way, each.fate, each.status) for each in trace.read("trace")], [("system", "native", "0")])

    def test_a_caller_without_rights(self):
        self.folder.chmod(0o755)
        self.write("trace")
        Path("trace").chmod(0o666)
        preloaded = ("env", f"LD_PRELOAD={PRELOAD}")  # setpriv itself runs without the preload
        environment = self.environment | {"LD_PRELOAD": ""}
        done = run(*NOBODY, *preloaded, "lua5.4", "-e", call("ip link add br7 type bridge"), environment=environment)
        self.assertEqual((done.stdout, done.stderr), (b"nil\texit\t2\n", b"RTNETLINK answers: Operation not permitted\n"))
        self.assertNotIn(b"br7", run("ip", "-br", "link").stdout)


if __name__ == "__main__":
    unittest.main()
