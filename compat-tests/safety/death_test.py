"""The server dies, stops, restarts: nothing runs twice, no caller hangs, and each status agrees with the kernel's state."""

import contextlib
import os
import random
import signal
import subprocess
import time
import unittest
from pathlib import Path

from . import bench
from .rights_changes import CHANGES, TOOLS

KILLS = int(os.environ.get("NLSH_KILLS", "60"))
LOADS = 3
HEIR = "--no-seccomp" not in bench.OPTIONS  # the process that finishes a killed server's lines (shim/server/heir.h)


# Makes the server's memory grow: the server caches lines that come twice.
_MANY_LINES = """
import ctypes, select, sys
system = ctypes.CDLL(None).system
number = 0
while not select.select([sys.stdin], [], [], 0)[0]:
    number += 1
    line = b"ip link set lo up; echo %04000d >/dev/null" % number
    system(line), system(line)
"""


class MemoryGroup:
    """A memory cgroup, of cgroup v1 or v2."""

    def __init__(self, path: Path, unified: bool):
        self.path = path
        self.unified = unified
        self.limit, self.usage = (
            path / name for name in (("memory.max", "memory.current") if unified else ("memory.limit_in_bytes", "memory.usage_in_bytes"))
        )

    def leave(self, kibibytes: int):
        """Sets the limit to the current use plus so many KiB."""
        self.limit.write_text(str(int(self.usage.read_text()) + kibibytes * 1024))

    def kills(self) -> int:
        events = (self.path / ("memory.events" if self.unified else "memory.oom_control")).read_text()
        return int(dict(map(str.split, events.splitlines()))["oom_kill"])


@contextlib.contextmanager
def memory_group():
    root = Path("/sys/fs/cgroup")
    old = root / "memory"
    unified = not old.is_dir()
    path = (root if unified else old) / f"nlsh-test-{os.getpid()}"
    try:
        if unified:
            (root / "cgroup.subtree_control").write_text("+memory")
        path.mkdir()
    except OSError as error:
        raise unittest.SkipTest(f"no memory cgroup: {error}") from error
    try:
        yield MemoryGroup(path, unified)
    finally:
        bench.wait_for(lambda: not (path / "cgroup.procs").read_text(), 60)  # its heir ends later
        path.rmdir()


class Death(unittest.TestCase):
    def setUp(self):
        bench.ip("route", "flush", "root", "10.0.0.0/8")
        self.server = bench.Server()
        self.server.start()

    def tearDown(self):
        if self.server.process.poll() is None:
            self.server.send(signal.SIGCONT)
            self.server.end(signal.SIGKILL)

    def restart_under_load(self, number: int, times: int, pause: tuple[float, float], way: str = "system") -> list:
        return self.restart_under([bench.load(index, way) for index in range(1, LOADS + 1)], number, times, pause)

    def restart_under(self, loads: list, number: int, times: int, pause: tuple[float, float]) -> list:
        chance = random.Random(1)
        time.sleep(0.2)
        for _ in range(times):
            time.sleep(chance.uniform(*pause))
            self.server.end(number)
            time.sleep(chance.choice((0, 0.01)))
            self.server.start()
        return [(load, load.finish()) for load in loads]

    def check(self, lines: list[str]) -> int:
        """Checks that each status agrees with the kernel; returns how many calls were cut off. An error stands before its lot."""
        cut = 0
        last, refused, no_memory = {}, set(), False
        for line in lines:
            if line.startswith("RTNETLINK answers: "):
                no_memory |= line.endswith("No buffer space available")
                continue
            lot, *statuses = line.split()
            last[lot] = [int(status) for status in statuses]
            if no_memory:
                refused.add(lot)
                no_memory = False
        there = bench.route_lots()
        for lot, statuses in last.items():
            cut += statuses.count(bench.CUT_OFF)
            added, deleted = (*statuses, None)[:2]
            if lot in refused:
                self.assertEqual(added, 512, lot)
                self.assertLess(there[lot], bench.ROUTES, lot)
                continue
            # 512 is "File exists" or "No such process": the sign of a line that ran twice.
            self.assertIn(added, (0, bench.CUT_OFF), lot)
            self.assertIn(deleted, (None, 0, bench.CUT_OFF) if added == 0 else (None, 0, 512, bench.CUT_OFF), lot)
            if bench.CUT_OFF not in statuses:
                self.assertEqual(there[lot], bench.ROUTES if deleted is None else 0, lot)
        return cut

    def test_killed_at_any_point(self):
        results = self.restart_under_load(signal.SIGKILL, KILLS, (0.01, 0.1))
        cut = sum(self.check(lines) for _, lines in results)
        native = sum(load.traced()[0] for load, _ in results)
        self.assertGreater(native, KILLS // 3)  # the server was under load
        self.assertLessEqual(cut, KILLS // 20 if HEIR else KILLS * LOADS)
        print(f"# {KILLS} kills, {sum(len(lines) for _, lines in results)} calls, {native} native, {cut} cut off")

    def test_killed_amid_lines_of_many_kinds(self):
        """Changes, refusals, shows and changing names, also in another network namespace: the caller gets the line's true result,
        whether the server or the heir finishes the line."""
        if not HEIR:
            self.skipTest("a server without a filter has no heir")
        elsewhere = ("unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
        loads = [bench.kinds(1), bench.kinds(2), bench.kinds(3, *elsewhere)]
        results = self.restart_under(loads, signal.SIGKILL, KILLS, (0.01, 0.1))
        lines = [line for _, lines in results for line in lines]
        native = sum(load.traced()[0] for load, _ in results)
        wrong = [line for line in lines if line.startswith("wrong")]
        self.assertEqual(wrong, [])
        self.assertLessEqual(lines.count("cut"), KILLS // 6)  # the kernel may refuse a change that a kill interrupts
        self.assertGreater(native, KILLS // 3)
        print(f"# {KILLS} kills, {len(lines)} lines, {native} calls native, {lines.count('cut')} cut off, {len(wrong)} wrong")

    def test_killed_amid_lines_over_the_callers_socket(self):
        """Callers under a filter, also in another network namespace: the heir continues over the caller's socket."""
        if not HEIR:
            self.skipTest("a server without a filter has no heir")
        filtered = (
            "/usr/bin/python3",
            "-I",
            "-c",
            f"{TOOLS}\n{CHANGES['a system call filter']}\nimport sys\nos.execv(sys.argv[1], sys.argv[1:])",
        )
        elsewhere = ("unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
        loads = [bench.kinds(1, *filtered), bench.kinds(2, *filtered), bench.kinds(3, *elsewhere, *filtered)]
        kills = KILLS // 2
        results = self.restart_under(loads, signal.SIGKILL, kills, (0.01, 0.1))
        lines = [line for _, lines in results for line in lines]
        native = sum(load.traced()[0] for load, _ in results)
        self.assertEqual([line for line in lines if line.startswith("wrong")], [])
        self.assertLessEqual(lines.count("cut"), KILLS // 6)
        self.assertGreater(native, kills // 3)
        print(f"# {kills} kills, {len(lines)} lines, {native} calls native, {lines.count('cut')} cut off, 0 wrong")

    def test_killed_with_its_heir(self):
        """If server and heir are both dead, each status that a caller gets still agrees with the kernel."""
        if not HEIR:
            self.skipTest("a server without a filter has no heir")
        loads = [bench.load(index) for index in range(1, LOADS + 1)]
        time.sleep(0.2)
        for _ in range(KILLS // 3):
            bench.wait_for(lambda: bench.child_of(self.server.process.pid, "nlsh-heir"))
            os.kill(int(bench.child_of(self.server.process.pid, "nlsh-heir")), signal.SIGKILL)
            self.server.end(signal.SIGKILL)
            self.server.start()
        cut = sum(self.check(load.finish()) for load in loads)
        self.assertLessEqual(cut, KILLS // 3 * LOADS)
        print(f"# {KILLS // 3} kills with the heir, {cut} cut off")

    def test_killed_under_those_who_exec(self):
        """Processes that would exec a shell: the server runs the line instead. After a fallback, the shell's children run the line."""
        for way in ("spawn", "fork"):
            with self.subTest(way):
                bench.ip("route", "flush", "root", "10.0.0.0/8")
                for load, lines in self.restart_under_load(signal.SIGKILL, KILLS // 2, (0.01, 0.1), way):
                    self.check(lines)
                    self.assertGreater(load.traced()[0], 0)

    def test_a_restart_fails_no_command(self):
        results = self.restart_under_load(signal.SIGTERM, 30, (0, 0.03))
        for _, lines in results:
            self.assertEqual(self.check(lines), 0, "a command was cut off by SIGTERM")
        self.assertGreater(sum(load.traced()[0] for load, _ in results), 10)

    def test_a_stopped_server_holds_nobody_for_long(self):
        caller = bench.Caller(timeout_ms=200)
        self.assertEqual(caller.system("ip link set lo up")[0], 0)
        time.sleep(0.1)  # no thread is between reading and running
        self.server.stop()
        for number in range(3):
            status, seconds = caller.system(f"ip route add 10.200.0.{number}/32 dev lo")
            self.assertEqual(status, 0)
            self.assertLess(seconds, 2)
        self.server.send(signal.SIGCONT)
        time.sleep(0.2)  # if the server ran the withdrawn requests now, they would find the routes
        for number in range(3):
            self.assertEqual(caller.system(f"ip route del 10.200.0.{number}/32 dev lo")[0], 0)
        # Clients avoid a stopped server for some seconds, then retry.
        bench.wait_for(lambda: caller.system("ip link set lo up")[0] == 0 and caller.traced()[0] >= 4, 20)
        caller.finish()
        self.assertGreaterEqual(caller.traced()[0], 4)

    def test_killed_for_its_memory(self):
        """The kernel kills the server for its cgroup's memory limit: the heir finishes begun lines, other lines fall back. Before that the
        kernel may refuse a request of the server's for want of memory (ENOBUFS): its caller gets this answer."""
        self.server.end()
        with memory_group() as group:
            self.server.start(prefix=("sh", "-c", f'echo $$ >{group.path}/cgroup.procs && exec "$@"', "sh"))
            loads = [bench.load(index, errors=True) for index in range(1, LOADS + 1)]
            bench.wait_for(lambda: all(load.traced()[0] > 2 for load in loads), 60)
            hungry = bench.Program(_MANY_LINES)
            group.leave(kibibytes=256)
            bench.wait_for(lambda: self.server.process.poll() is not None, 60)
            results = [load.finish() for load in loads]
            hungry.finish()
            self.assertEqual((self.server.process.returncode, group.kills()), (-signal.SIGKILL, 1))
        cut = sum(self.check(lines) for lines in results)
        self.assertLessEqual(cut, LOADS)  # at most one call for each load: the next call falls back
        print(f"# {sum(map(len, results))} lots, {cut} cut off")

    def test_servers_that_cannot_start(self):
        """A supervisor starts servers in a loop beside a running server: each start fails fast, and no call suffers."""
        load = bench.load(1)
        bench.wait_for(lambda: load.traced()[0] > 0)  # otherwise a fast machine finishes before the first call
        for _ in range(20):
            done = subprocess.run([bench.NLSH, "serve", "--socket", bench.SOCKET], capture_output=True, timeout=10)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"a server runs already", done.stderr)
        self.assertEqual(self.check(load.finish()), 0)
        self.assertGreater(load.traced()[0], 0)
        self.assertEqual(self.server.end(), 0)

    def test_full_disk(self):
        """No space for sockets or the trace: callers fall back, and the server runs on."""
        os.makedirs("/run/full", exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k,nr_inodes=3,mode=755", "full", "/run/full"], check=True)
        with open("/run/full/filler", "wb", buffering=0) as filler, contextlib.suppress(OSError):
            while filler.write(b"x" * 4096):
                pass
        done = subprocess.run([bench.NLSH, "serve", "--socket", "/run/full/sock"], capture_output=True, timeout=10)
        self.assertEqual(done.returncode, 1)
        for environment in ({"NLSH_SOCKET": "/run/full/sock"}, {"NLSH_SOCKET": bench.SOCKET, "NLSH_TRACE": "/run/full/filler"}):
            text = "import ctypes; print([ctypes.CDLL(None).system(line) for line in (b'ip link set lo up', b'ip link show nosuch 2>/dev/null')])"
            self.assertEqual(bench.python(text, preload=True, **environment), (0, "[0, 256]\n", ""))
        subprocess.run(["umount", "/run/full"], check=True)

    def test_no_server_no_harm(self):
        self.server.end(signal.SIGKILL)
        caller = bench.Caller()
        self.assertEqual(caller.system("ip route add 10.201.0.1/32 dev lo")[0], 0)
        self.assertEqual(caller.system("ip route add 10.201.0.1/32 dev lo 2>/dev/null")[0], 512)
        self.assertEqual(caller.system("ip route del 10.201.0.1/32 dev lo")[0], 0)
        caller.finish()
        self.assertEqual(caller.trace.read_text().count("\tspawned: no server\n"), 3)
        self.server.start()
