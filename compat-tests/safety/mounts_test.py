"""Mounts over the files that lines use, in the caller's mount namespace or in all: each line does what the real tools do."""

import os
import subprocess
import tempfile
from pathlib import Path

from nlsh_test.place import NAMES

from . import bench

WARM = 5  # calls, after which the server has cached the caller


class Caller:
    """A program in its own mount namespace, and the real shell in the same one."""

    def __init__(self):
        self.reader = bench.Reader("unshare", "--mount", "--propagation", "private")
        self.reader.popen("true")  # answers when it is in its namespace

    def run(self, *words: str):
        """Runs the words in the caller's namespace."""
        subprocess.run(["nsenter", "--mount", "-t", str(self.reader.process.pid), *words], check=True)

    def real(self, line: str) -> tuple[str, int]:
        run = subprocess.run(
            ["nsenter", "--mount", "-t", str(self.reader.process.pid), "/bin/sh", "-c", line], stdout=subprocess.PIPE, text=True, timeout=20
        )
        return run.stdout, run.returncode << 8


class Mounts(bench.WithServer):
    def setUp(self):
        self.caller = Caller()
        self.addCleanup(self.caller.reader.finish)
        self.files = Path(tempfile.mkdtemp(dir="/run"))
        (self.files / "empty").mkdir()
        (self.files / "file").write_text("")
        (self.files / "ip").write_text("#!/bin/sh\necho another program\n")
        (self.files / "ip").chmod(0o755)
        (self.files / "names").mkdir()
        (self.files / "names/rt_tables").write_text("77 other\n")

    def same(self, line: str, undo: str = ":"):
        got = self.caller.reader.popen(line)
        self.caller.real(undo)
        self.assertEqual(got, self.caller.real(line), line)
        self.caller.real(undo)

    def by_server(self) -> int:
        """The number of lines that the server ran; a spawned nlsh ran the other native lines."""
        return self.caller.reader.trace.read_text().count("\tserver")

    def warm(self, line: str):
        for _ in range(WARM):
            self.caller.reader.popen(line)
        self.assertGreaterEqual(self.by_server(), WARM)

    def bind(self, what: str, where: str):
        self.caller.run("mount", "--bind", str(self.files / what), where)  # an absolute path stays

    def test_next_call(self):
        """The second call sees a mount that was made between two calls."""
        bench.ip("rule", "add", "pref", "7", "table", "77")
        self.addCleanup(bench.ip, "rule", "del", "pref", "7")
        for what, where, line in (
            ("ip", "/usr/sbin/ip", "ip link show lo"),
            ("names", str(NAMES), "ip rule show"),
            ("/usr/bin/bash", "/usr/bin/dash", r"echo 'a\tb' && ip link show lo"),
            ("file", "/usr/bin/grep", "ip link show lo | grep mtu"),
        ):
            with self.subTest(where):
                self.warm(line)
                self.bind(what, where)
                got = self.caller.reader.popen(line)
                self.assertEqual(got, self.real_in_shell(line))
                self.caller.run("umount", where)
                self.same(line)

    def real_in_shell(self, line: str) -> tuple[str, int]:
        """Runs the line as popen() would, by a copy of the shell that no mount replaces."""
        program = "import subprocess, sys; r = subprocess.run(['/bin/sh', '-c', sys.argv[1]], stdout=-1, stderr=-3, text=True); print(repr((r.stdout, r.returncode << 8)))"
        run = subprocess.run(
            ["nsenter", "--mount", "-t", str(self.caller.reader.process.pid), "/usr/bin/python3", "-I", "-c", program, line],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return eval(run.stdout)

    def test_everybodys_mount(self):
        """A mount in the server's namespace, which isn't the caller's."""
        self.warm("ip link show lo")
        subprocess.run(["mount", "--bind", self.files / "ip", "/usr/sbin/ip"], check=True)
        self.addCleanup(subprocess.run, ["umount", "/usr/sbin/ip"], check=True)
        self.same("ip link show lo")

    def test_devices(self):
        (self.files / "net").mkdir()
        self.caller.run("mount", "-t", "tmpfs", "none", "/dev/net")
        self.same("ip tuntap add dev t0 mode tap; echo $?; ip tuntap del dev t0 mode tap")

    def test_null(self):
        self.bind("file", "/dev/null")
        self.caller.reader.popen("ip link show lo >/dev/null")
        self.assertIn("mtu", (self.files / "file").read_text())

    def test_everybodys_null(self):
        self.caller.reader.popen("ip link show lo >/dev/null")
        everybody = bench.Reader()
        self.addCleanup(everybody.finish)
        subprocess.run(["mount", "--bind", self.files / "file", "/dev/null"], check=True)
        self.addCleanup(subprocess.run, ["umount", "/dev/null"], check=True)
        for line in (
            "ip link show lo >/dev/null",
            "ip link show nosuch 2>/dev/null",
            "echo words >/dev/null && ip link show nosuch 2>>/dev/null",
        ):
            for run in (everybody.popen, lambda line: subprocess.run([bench.NLSH, "-q", "-c", line])):
                with self.subTest(line):
                    run(line)
                    self.assertTrue((self.files / "file").read_text())
                    (self.files / "file").write_text("")

    def test_sys(self):
        self.caller.run("mount", "-t", "tmpfs", "none", "/sys/class/net")
        self.same("ip tuntap show")
        self.assertEqual(self.by_server(), 0)

    def test_mounts_that_lines_do_without(self):
        for where in ("/dev/shm", "/sys/kernel", "/sys/fs/cgroup"):
            if os.path.isdir(where):
                self.caller.run("mount", "-t", "tmpfs", "none", where)
        self.same("ip link show lo 2>/dev/null")
        self.assertEqual(self.by_server(), 1)


class Settings(bench.WithServer):
    """Mounts below /proc/sys, also in the server's namespace: as LXC makes them, or a file over a setting."""

    MTU = "/proc/sys/net/ipv6/conf/lo/mtu"
    LINES = (
        f"ip link set lo mtu 1500 && echo 1400 >{MTU} && cat {MTU}",
        f"ip link show nosuch; echo 1300 >{MTU}; cat {MTU}",
        "ip link show lo >/dev/null && sysctl -w net.ipv6.conf.lo.mtu=1350 2>&1",
        f"[ -f {MTU} ] && ip link set lo mtu 1600",
    )

    def setUp(self):
        self.file = Path(tempfile.mktemp(dir="/run"))
        self.file.write_text("1280\n")

    def mount(self, *words: str):
        subprocess.run(["mount", *map(str, words)], check=True)
        self.addCleanup(subprocess.run, ["umount", words[-1]], check=True)

    def check(self):
        reader = bench.Reader()
        self.addCleanup(reader.finish)
        for line in self.LINES:
            with self.subTest(line):
                self.file.write_text("1280\n")
                got = reader.popen(line), self.file.read_text(), Path(self.MTU).read_text()
                self.file.write_text("1280\n")
                run = subprocess.run(["/bin/sh", "-c", line], stdout=subprocess.PIPE, text=True)
                self.assertEqual(got, ((run.stdout, run.returncode << 8), self.file.read_text(), Path(self.MTU).read_text()))

    def test_mixed(self):
        self.mount("--bind", "/proc/sys/net", "/proc/sys/net")
        self.check()

    def test_read_only(self):
        self.mount("--bind", "/proc/sys", "/proc/sys")
        subprocess.run(["mount", "-o", "remount,bind,ro", "/proc/sys"], check=True)
        self.check()

    def test_file(self):
        self.mount("--bind", self.file, self.MTU)
        self.check()

    def test_another_file_system(self):
        self.mount("-t", "tmpfs", "none", "/proc/sys")
        os.makedirs(os.path.dirname(self.MTU))
        Path(self.MTU).write_text("1280\n")
        self.check()

    def test_none(self):
        self.check()
