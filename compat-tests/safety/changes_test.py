"""Name files, tools and mounts change while a program runs: the very next call sees the change. By the server and in process."""

import mmap
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from nlsh_test.place import NAMES

from . import bench

WRAPPER = '#!/usr/bin/python3\nprint("another program")\n'


def overlay(place: str):
    """Mounts a writable overlay over the directory, until it is unmounted."""
    layers = Path(tempfile.mkdtemp(dir="/run"))
    for layer in ("upper", "work"):
        (layers / layer).mkdir()
    subprocess.run(
        ["mount", "-t", "overlay", "overlay", "-o", f"lowerdir={place},upperdir={layers}/upper,workdir={layers}/work", place], check=True
    )


def replace(path: str, text: str):
    """Replaces the file by a rename, as a package manager does."""
    Path(path + ".new").write_text(text)
    os.chmod(path + ".new", 0o755)
    os.rename(path + ".new", path)


def link(path: str, target: str):
    os.symlink(target, path + ".new")
    os.rename(path + ".new", path)


class Changes(bench.WithServer):
    engine = "server"
    warm = 15  # calls before a change

    def setUp(self):
        for place in ("/usr/bin", "/usr/sbin", "/etc/iproute2"):
            os.makedirs(place, exist_ok=True)  # Debian 13 lacks the last one
            overlay(place)
            self.addCleanup(subprocess.run, ["umount", "--lazy", place], check=True)

    def reader(self, *environment: str) -> bench.Reader:
        reader = bench.Reader("env", f"NLSH_ENGINE={self.engine}", *environment)
        self.addCleanup(reader.finish)
        return reader

    def check(self, line: str, *changes, environment: tuple[str, ...] = ()):
        """After each change, the very next call equals the real tool's."""
        reader = self.reader(*environment)
        for _ in range(self.warm):
            reader.popen(line)
        for change in changes:
            change()
            got = reader.popen(line)
            real = subprocess.run(["/usr/bin/env", *environment, "/bin/sh", "-c", line], capture_output=True, text=True, timeout=60)
            self.assertEqual(got, (real.stdout, real.returncode << 8))
            for _ in range(3):
                reader.popen(line)
        self.assertGreaterEqual(reader.traced()[0], self.warm)  # the line was native before the change

    def test_shell(self):
        self.check(
            r"echo 'a\tb' && ip link show lo >/dev/null",
            lambda: link("/usr/bin/sh", "bash"),
            lambda: link("/usr/bin/sh", "/usr/bin/busybox"),
            lambda: link("/usr/bin/sh", "dash"),
        )

    def replaced(self, path: str, line: str):
        self.check(line, lambda: replace(path, WRAPPER))

    def test_filter_replaced(self):
        self.replaced("/usr/bin/grep", "ip link show lo | grep mtu")

    def test_nested_shell_replaced(self):
        self.replaced("/usr/bin/bash", "bash -c 'ip link show lo'")

    def test_shell_replaced_under_its_name(self):
        self.check(
            r"echo 'a\tb' && ip link show lo >/dev/null",
            lambda: shutil.copy2("/usr/bin/bash", "/usr/bin/dash.new"),
            lambda: os.rename("/usr/bin/dash.new", "/usr/bin/dash"),
        )

    def test_tool_replaced(self):
        self.replaced("/usr/sbin/ip", "ip link show lo")

    def test_names_behind_a_link(self):
        tables = Path("/run/tables") / type(self).__name__
        tables.mkdir(parents=True)
        shutil.copy(NAMES / "rt_tables", tables / "rt_tables")
        link("/etc/iproute2/rt_tables", str(tables / "rt_tables"))
        bench.ip("rule", "add", "pref", "5", "table", "77")
        self.addCleanup(bench.ip, "rule", "del", "pref", "5")

        def name(text: str):
            with open(tables / "rt_tables", "a") as file:
                file.write(f"77 {text}\n")

        self.check("ip rule show", lambda: name("alpha"), lambda: name("beta"), lambda: (tables / "rt_tables").unlink())

    def test_written_through_memory(self):
        """inotify doesn't report a write through mmap, but the file's time changes: nlsh checks the time once a second."""
        tables = Path(tempfile.mkdtemp(dir="/var/tmp")) / "rt_tables"  # on a tmpfs the time wouldn't change
        self.addCleanup(shutil.rmtree, tables.parent)
        tables.write_text("77 alpha\n")
        link("/etc/iproute2/rt_tables", str(tables))
        bench.ip("rule", "add", "pref", "7", "table", "77")
        self.addCleanup(bench.ip, "rule", "del", "pref", "7")
        with open(tables, "r+b") as file:
            memory = mmap.mmap(file.fileno(), 0)

        def write():
            memory[3:8] = b"gamma"
            time.sleep(1.1)

        self.check("ip rule show", write)
        memory.close()

    def test_protocols(self):
        file = Path(f"/run/protocols.{type(self).__name__}")
        shutil.copy("/etc/protocols", file)
        bench.ip("rule", "add", "pref", "6", "ipproto", "6", "table", "77")
        self.addCleanup(bench.ip, "rule", "del", "pref", "6")
        self.check(
            "ip rule show",
            lambda: subprocess.run(["mount", "--bind", file, "/etc/protocols"], check=True),
            lambda: file.write_text("mine 6 tcp\n"),
            lambda: file.write_text(""),
            lambda: subprocess.run(["umount", "/etc/protocols"], check=True),
        )

    def test_tool_at_the_end_of_links(self):
        place = Path("/run/links") / type(self).__name__
        for name in "abc":
            (place / name).mkdir(parents=True)
        link(str(place / "a/ip"), "../b/ip")
        link(str(place / "b/ip"), str(place / "c/ip"))
        link(str(place / "c/ip"), "/usr/sbin/ip")

        def rename():
            os.rename(place / "b", place / "old")
            (place / "b").mkdir()
            replace(str(place / "b/ip"), WRAPPER)

        self.check(
            "ip link show lo",
            lambda: replace(str(place / "c/ip"), WRAPPER),
            lambda: link(str(place / "c/ip"), "/usr/sbin/ip"),
            rename,
            environment=(f"PATH={place}/a:/usr/bin",),
        )

    def test_mounted_over(self):
        script = "/run/another"
        replace(script, WRAPPER)
        self.check(
            "ip link show lo",
            lambda: subprocess.run(["mount", "--bind", script, "/usr/sbin/ip"], check=True),
            lambda: subprocess.run(["umount", "/usr/sbin/ip"], check=True),
        )


class ChangesInProcess(Changes):
    engine = "inproc"


class ChangesInFirstCalls(ChangesInProcess):
    """In the first ten calls, nlsh compares the times of files."""

    warm = 3
