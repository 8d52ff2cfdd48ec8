"""Files of lines, compared with sh on the same file: cases that need more set-up than cli.bats has. Each test has a network namespace."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from nlsh_test import trace
from nlsh_test.namespace import SECONDS, NamespaceTest, enter_network, run
from nlsh_test.place import NAMES, NLSH, TESTS

# sh -e does the same, because a file of lines ends with the first one that fails.
ALIKE = (
    ("ip link set br0 up", "ip -o link show br0 | cut -d: -f 2"),
    ("x=br1; ip link del $x", "x=br0; ip link del $x"),
    ("(cd /; exit 0)", "for i in br0 br1; do ip link del $i; done", "# a comment", "", "echo done"),
    ("ip link del br0", "exit 3"),
    ("if ip link show br0; then ip link del br0; fi", 'test -d / && echo "$HOME"'),
)
# If a line affects later lines, or continues in the next line, nlsh runs nothing.
REFUSED = (
    ("ip link del br0", "x=nosuch", "ip link del $x"),
    ("ip link del br0", "PATH=/nowhere", "ip link del br1"),
    ("ip link del br0", "cd /tmp", "ip link del br1"),
    ("ip link del br0", "export A=1", "ip link del br1"),
    ("ip link del br0", "exit 0", "ip link del br1"),
    ("ip link del br0", "umask 077", "ip link del br1"),
    ("f() { ip link del br0; }", "f"),
    ("ip link del \\", "br0"),
    ("if true", "then ip link del br0", "fi"),
    ("ip link del br0 &&", "ip link del br1"),
    ("cat <<X", "ip link del br0", "X"),
)
# Private name files, which only the test sees.
OWN_NAMES = f'mount --make-rprivate /; cp -r {NAMES} "$0"; mount --bind "$0" {NAMES}; ip link set lo up; exec "$@"'
TABLES = f"{NAMES}/rt_tables"
WRITER = f"""
import socket, subprocess, sys
kernel = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
kernel.bind((0, 1 << 6))  # RTMGRP_IPV4_ROUTE
reader = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)
for number in range(1, 101):
    with open("{TABLES}", "a") as file:
        file.write(f"{{number}} t{{number}}\\n")
    reader.stdin.write(f"ip route add 10.9.0.0/16 dev lo table t{{number}}\\n".encode())
    reader.stdin.flush()
    kernel.recv(4096)
reader.stdin.close()
sys.exit(reader.wait())
"""
# The files that operator/wrong-uses.tsv needs.
USED = {
    "good.lines": "ip link show lo\n",
    "carried.lines": "x=nosuch\nip link show $x\n",
    "crlf.lines": "ip link show lo\r\n",
    "bad.yaml": "order: any\ncommands: ip link show lo\n",
}


class Files(NamespaceTest):
    def bridges(self):
        enter_network()
        for number in range(2):
            run("ip", "link", "add", f"br{number}", "address", f"02:00:00:00:00:0{number + 1}", "type", "bridge", check=True)

    @staticmethod
    def links() -> list[str]:
        return [line.split()[0] for line in run("ip", "-br", "link", text=True).stdout.splitlines()]

    def test_what_sh_does(self):
        for lines in ALIKE:
            with self.subTest(lines):
                self.write("file", *lines)
                seen = []
                for words in ("sh", "-e"), (NLSH, "-q"):
                    self.bridges()
                    done = run(*words, "file", text=True)
                    seen.append((done.returncode, done.stdout, self.links()))
                self.assertEqual(*seen)

    def test_nothing_is_run(self):
        for lines in REFUSED:
            with self.subTest(lines):
                self.write("file", *lines)
                self.bridges()
                done = run(NLSH, "-q", "file", text=True)
                self.assertEqual((done.returncode, done.stdout, self.links()), (2, "", ["lo", "br0", "br1"]))
                self.assertRegex(done.stderr, r"(?m)^nlsh: file:\d*: ")

    def test_what_comes_by_a_pipe(self):
        """nlsh can't check a pipe's lines in advance, so it ends at the refused line."""
        done = run(NLSH, "-", input="ip link add br0 type bridge\ncd /\nip link del br0\n", text=True)
        self.assertEqual((done.returncode, done.stdout, self.links()), (2, "", ["lo", "br0"]))
        self.assertRegex(done.stderr, r"(?m)^nlsh: -:2: .cd. would act on the lines after it")

    def named(self, *words, **options) -> subprocess.CompletedProcess:
        enter_network()
        names = f"names{len(list(self.folder.glob('names*')))}"
        return run("unshare", "-m", "sh", "-c", OWN_NAMES, names, *words, text=True, **options)

    def test_a_script_that_changes_a_name_file(self):
        noise = ["ip route replace 10.9.0.0/16 dev lo table 77"] * 20
        first = [*noise, f'echo "77 foo" >>{TABLES}', *noise, "ip route show table foo"]
        self.write("lines", *first, *noise, f"sed -i s/foo/bar/ {TABLES}", *noise, "ip route show table bar")
        real, ours = self.named("sh", "lines"), self.named(NLSH, "lines", environment={"NLSH_TRACE": "trace"})
        self.assertEqual((ours.returncode, ours.stdout), (0, real.stdout))
        self.assertEqual([call.native for call in trace.read("trace")].count(False), 1)

    def test_a_writer_that_changes_a_name_file(self):
        """The writer sends each line when the line before has run."""
        done = self.named(sys.executable, "-c", WRITER, NLSH, "-")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_long_file_on_a_terminal(self):
        """Progress is shown on a terminal, and only there."""
        self.write("lines", *["sleep 0.2"] * 8, "ip link show nosuch")
        terminal = {"TERM": "xterm"}
        shown = run("script", "-qec", f"'{NLSH}' lines >/dev/null", "/dev/null", environment=terminal, text=True).stdout
        self.assertRegex(shown, r"%  \d* lines/s  [\d:]* left")
        # The error's line has no rest of the bar.
        self.assertTrue([part for part in re.split(r"[\r\n]", shown) if 'Device "nosuch"' in part and "%" not in part])
        elsewhere = run(NLSH, "lines", environment=terminal, text=True)
        self.assertEqual((elsewhere.stdout, elsewhere.stderr.count("\n")), ("", 2))


class WrongUses(NamespaceTest):
    def test_each(self):
        Path("bin").mkdir()
        Path("bin/nlsh").symlink_to(NLSH)
        self.folder.chmod(0o755)  # for the test's other user
        environment = {"PATH": f"{self.folder}/bin:/usr/sbin:/usr/bin:/sbin:/bin", "NLSH_SOCKET": f"{self.folder}/sock"}
        table = (TESTS / "operator/wrong-uses.tsv").read_text().splitlines()
        rows = [row.split("\t") for row in table if not row.startswith("#")]
        for number, (typed, status, seen) in enumerate(rows):
            with self.subTest(typed):
                use = self.folder / f"use{number}"
                use.mkdir()
                for name, text in USED.items():
                    (use / name).write_bytes(text.encode())
                enter_network()
                done = run("bash", "-c", typed, environment=environment, cwd=use, stdin=subprocess.DEVNULL, text=True, errors="replace")
                self.assertEqual(done.returncode, int(status), done.stdout + done.stderr)
                self.assertTrue(grep(seen, done.stdout + done.stderr), done.stdout + done.stderr)
                self.assertFalse((use / "ran").exists())
        self.assertEqual(list(self.folder.glob("sock*")), [])  # no server was started
        self.assertGreaterEqual(len(rows), 60)


def grep(pattern: str, text: str) -> bool:
    """Whether a line of the text matches the extended regular expression."""
    done = subprocess.run(["grep", "-Eq", "--", pattern], input=text, text=True, errors="replace", timeout=SECONDS)
    return done.returncode == 0


if __name__ == "__main__":
    unittest.main()
