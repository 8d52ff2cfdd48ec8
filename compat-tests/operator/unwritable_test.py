#!/usr/bin/env python3
"""Output that can't be written: each verb of nlsh with stdout or stderr closed, full, or a pipe that nobody reads. Argument: nlsh.

A result that can't be written is an error with status 1; a message that can't be written changes no status. A pipe without a
reader ends nlsh by SIGPIPE, as it ends other programs, unless the signal is ignored. Run it in a network namespace of its own."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from nlsh_test.server import Server

NLSH = os.path.abspath(sys.argv.pop(1))
LIMIT = 60
LINE = "ip link show lo"
SCENARIO = 'commands:\n  - line: "ip link show lo"\n    times: any\n'

# The words, the status if all output can be written, and the streams that get output.
VERBS = [
    ("--help", 0, "stdout"),
    ("--version", 0, "stdout"),
    ("version", 0, "stdout"),
    ("help", 0, "stdout"),
    ("help serve", 0, "stdout"),
    ("serve --help", 0, "stdout"),
    ("run --help", 0, "stdout"),
    ("explain --help", 0, "stdout"),
    ("stats --help", 0, "stdout"),
    ("top --help", 0, "stdout"),
    ("doctor --help", 0, "stdout"),
    ("record --help", 0, "stdout"),
    ("mock --help", 0, "stdout"),
    ("qualify --help", 0, "stdout"),
    ("qualify", 0, "stdout"),
    (f"explain '{LINE}'", 0, "stdout"),
    (f"explain --json '{LINE}'", 0, "stdout"),
    ("explain good.lines", 0, "stdout"),
    ("stats --socket $PWD/served", 0, "stdout"),
    ("stats --socket $PWD/served --json", 0, "stdout"),
    ("stats --socket $PWD/served --prometheus", 0, "stdout"),
    ("top --socket $PWD/served --rounds 2 --delay 0.1", 0, "stdout"),
    ("doctor --socket $PWD/served", None, "stdout"),
    ("doctor --socket $PWD/served --json", None, "stdout"),
    ("record -- true", 0, "stdout"),
    ("", 2, "stderr"),
    ("--bogus", 2, "stderr"),
    ("nosuch.lines", 127, "stderr"),
    ("help nosuch", 2, "stderr"),
    ("version extra", 2, "stderr"),
    ("qualify extra", 2, "stderr"),
    ("explain", 2, "stderr"),
    ("explain nosuch.lines", 2, "stderr"),
    ("serve --bogus", 2, "stderr"),
    ("serve --socket $PWD/good.lines/x", 1, "stderr"),
    ("stats --socket $PWD/nosuch", 1, "stderr"),
    ("top --socket $PWD/nosuch", 1, "stderr"),
    ("run", 2, "stderr"),
    ("run -- ./nosuch", 127, "stderr"),
    ("record --output nosuch/x -- true", 2, "stderr"),
    ("mock nosuch.yaml -- true", 2, "stderr"),
    ("mock good.yaml -- true", 0, "stderr"),
    ("mock good.yaml --report /dev/full -- true", 1, "stderr"),
    ("failing.lines", 1, "stderr"),
    ("carried.lines", 2, "stderr"),
    ("run -- true", 0, ""),
    ("record --output recorded -- true", 0, ""),
    ("-c 'ip link set lo up'", 0, ""),
]

# `qualify` runs the tools some thousand times, so give it tools that end at once. Its record stays in the test's directory.
QUALIFIED = {"NLSH_BUILDS": "qualified", "NLSH_REAL_IP": "/bin/true", "NLSH_REAL_BRIDGE": "/bin/true"}

# SIGPIPE doesn't end these: a server ignores it, and `run` returns the status of the program that SIGPIPE ended.
SURVIVORS = {"serve --socket $PWD/good.lines/x": 1, "run -- ./nosuch": 128 + signal.SIGPIPE}

# How to make a descriptor unwritable, and whether to ignore SIGPIPE.
FAULTS = {
    "full": ("{0}>/dev/full", False),
    "closed": ("{0}>&-", False),
    "pipe without reader": ("{0}>&9", False),
    "pipe without reader, SIGPIPE ignored": ("{0}>&9", True),
}


class Unwritable(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        os.chdir(directory.name)
        os.chmod(".", 0o700)
        for name, text in (
            ("good.lines", LINE + "\n"),
            ("failing.lines", "ip link set nosuch up\n"),
            ("carried.lines", "x=1\nip link show $x\n"),
            ("good.yaml", SCENARIO),
        ):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
        for name in ("NLSH_TRACE", "NLSH_LOG", "NLSH_SOCKET"):
            os.environ.pop(name, None)
        cls.enterClassContext(cls.serve("served", "2>/dev/null"))

    @staticmethod
    def serve(socket, redirection):
        """Starts a server by a shell."""
        shell = ("bash", "-c", f'exec "$0" "$@" {redirection}')
        return Server(os.path.abspath(socket), "--log", "info", program=NLSH, around=shell, stdin=None)

    @staticmethod
    def run_with(words, redirection, ignoring=False):
        """The status as in subprocess: -N for signal N."""
        read_end, write_end = os.pipe()
        os.close(read_end)
        try:
            return subprocess.run(
                ["bash", "-c", f'exec 9>&{write_end}; exec "$0" {words} {redirection} 9>&-', NLSH],
                pass_fds=[write_end],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                restore_signals=not ignoring,
                env=os.environ | (QUALIFIED if words == "qualify" else {}),
                timeout=LIMIT,
                check=False,
            ).returncode
        finally:
            os.close(write_end)

    def test_each_verb(self):
        for words, usual, written in VERBS:
            if usual is None:
                usual = self.run_with(words, "")
            self.assertEqual(self.run_with(words, ""), usual, words)
            for fault, (redirection, ignoring) in FAULTS.items():
                for number, name in enumerate(("stdout", "stderr"), 1):
                    expected = usual
                    if name == written and "pipe" in fault and not ignoring:
                        expected = SURVIVORS.get(words, -signal.SIGPIPE)
                    elif name == written == "stdout":
                        expected = 1
                    with self.subTest(words=words, fault=f"{name} {fault}"):
                        self.assertEqual(self.run_with(words, redirection.format(number), ignoring), expected)

    def test_no_verb_is_missing(self):
        text = subprocess.run([NLSH, "--help"], capture_output=True, text=True, check=True).stdout
        verbs = re.findall(r"^  ([a-z]+) ", text.split("Subcommands:")[1], re.MULTILINE)
        self.assertGreater(len(verbs), 5)
        for verb in verbs:
            self.assertTrue(any(words.split(" ")[0] == verb for words, _, _ in VERBS), verb)

    def test_both_at_once(self):
        for fault, (redirection, _) in FAULTS.items():
            status = self.run_with("--help", redirection.format(1) + " " + redirection.format(2))
            self.assertEqual(status, -signal.SIGPIPE if "pipe" in fault else 1, fault)

    def test_a_server_without_stderr(self):
        """The server answers, also lines whose failure it would log, and none of its sockets becomes descriptor 2."""
        for number, redirection in enumerate(("2>/dev/full", "2>&-", ">&- 2>&- <&-")):
            with self.subTest(redirection=redirection):
                server = self.serve(f"deaf{number}", redirection).start()
                descriptors = [os.readlink(f"/proc/{server.process.pid}/fd/{fd}") for fd in range(3)]
                self.assertEqual([each.startswith("socket:") for each in descriptors], [False] * 3)
                self.assertEqual(self.run_with(f"stats --socket $PWD/deaf{number}", ""), 0)
                self.assertEqual(server.end(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=1)
