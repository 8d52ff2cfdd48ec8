"""Odd name files: nlsh reads them as the installed iproute2 does.

NLSH_NAME_FILES=N tries N sets of files (60), NLSH_NAME_SEED=N selects others.
"""

import os
import random
import subprocess

from nlsh_test.processes import started

from . import bench, name_files

SETS = int(os.environ.get("NLSH_NAME_FILES", "60"))
SEED = int(os.environ.get("NLSH_NAME_SEED", "1"))


def text_of(place: str) -> str:
    return subprocess.run(["grep", "-rab", "", place], capture_output=True, text=True, errors="backslashreplace").stdout


class Files(bench.WithServer):
    @classmethod
    def setUpClass(cls):
        cls.places = [name_files.OWN, *filter(os.path.isdir, name_files.SHARED)]
        for place in cls.places:
            os.makedirs(place, exist_ok=True)
            subprocess.run(["mount", "-t", "tmpfs", "names", place], check=True)
        for line in name_files.SETUP:
            subprocess.run(line, shell=True, check=True)
        super().setUpClass()

    def setUp(self):
        self.reader = bench.Reader()
        self.addCleanup(self.reader.finish)

    def real(self, line: str) -> tuple[str, int]:
        run = subprocess.run(["/bin/sh", "-c", line], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=20)
        return run.stdout.decode(errors="surrogateescape"), run.returncode

    def own(self, line: str) -> tuple[str, int]:
        run = subprocess.run([bench.NLSH, "-q", "-c", line], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=20)
        return run.stdout.decode(errors="surrogateescape"), run.returncode

    def served(self, line: str) -> tuple[str, int]:
        text, status = self.reader.popen(f"{line} 2>&1")
        return text, status >> 8

    def check(self, line: str):
        real = self.real(line)
        for way in (self.own, self.served):
            if way(line) != real and self.real(line) == real:
                files = "".join(map(text_of, self.places))
                self.fail(f"{way.__name__}: {line}\n{way(line)}\nreal\n{real}\n{files}")

    def test_generated(self):
        for number in range(SETS):
            chance = random.Random(SEED * 1_000_000 + number)
            for place in self.places:
                name_files.fill(place, chance)
            with self.subTest(number):
                for line in name_files.lines(chance, 8):
                    self.check(line)
        native, fallback = self.reader.traced()
        print(f"# {SETS} sets of name files: {native} lines native, {fallback} fallback", flush=True)
        self.assertGreater(2 * native, fallback)

    def waiting_writer(self, path: str) -> subprocess.Popen:
        """Starts a program that blocks until somebody reads a new FIFO."""
        os.mkfifo(path)
        return started(self, ["/bin/sh", "-c", f"exec 9>{path}"])

    def test_fifo(self):
        """iproute2 doesn't open a name file that it doesn't need. nlsh must neither block on the FIFO nor wake its writer."""
        for name in ("rt_realms", "rt_scopes", "rt_protos.d/x.conf"):
            with self.subTest(name):
                for place in self.places:
                    name_files.clear(place)
                os.makedirs(os.path.dirname(f"{name_files.OWN}/{name}"), exist_ok=True)
                writer = self.waiting_writer(f"{name_files.OWN}/{name}")
                for line in (
                    "ip route show table main",
                    "ip link show lo",
                    "ip link show nosuch",
                    "ip rule add pref 9 table 5 && ip rule del pref 9",
                ):
                    self.check(line)
                self.assertIsNone(writer.poll())

    def test_endless(self):
        """iproute2 would read this file for ever, if it needed the names."""
        for place in self.places:
            name_files.clear(place)
        os.symlink("/dev/zero", f"{name_files.OWN}/rt_realms")
        self.check("ip link show lo")
        os.unlink(f"{name_files.OWN}/rt_realms")
        with open(f"{name_files.OWN}/rt_realms", "wb") as file:
            file.truncate(1 << 40)
        self.check("ip link show lo")
