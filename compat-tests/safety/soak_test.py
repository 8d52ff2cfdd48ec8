"""A soak: short-lived clients run mixed commands, in namespaces that are made and removed. At the end the server must hold no more
memory and descriptors than after the first thousand commands. NLSH_SOAK=N sets the number of commands (8000)."""

import collections
import json
import os
import subprocess
import sys
import time
import unittest
import unittest.mock

from . import bench

COMMANDS = int(os.environ.get("NLSH_SOAK", "8000"))
LOAD = int(os.environ.get("NLSH_LOAD", "6400"))
FIRST = 1000
CLIENTS = 8  # at a time
EACH = 250  # commands of a client
EACH_SERVER = 50  # native commands, at least, before the server is replaced
SLACK_KIB = 64  # partly used pages, which malloc can't give back
REST = 30  # tenths of a second without a change; after one second the server frees what it doesn't need
PATIENCE = 600  # tenths of a second
# Otherwise malloc caches up to 236 KiB of freed pieces for each thread. This cache fills slowly, and would hide a leak of that size.
PLAIN = {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}

# A client's commands with their wait statuses; popen if it reads output. {n} is the client's number, {k} the command's.
_CLIENT = """
import ctypes, sys
libc = ctypes.CDLL(None)
libc.popen.restype = ctypes.c_void_p
libc.pclose.argtypes = [ctypes.c_void_p]
libc.fgets.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
libc.fgets.restype = ctypes.c_void_p
buffer = ctypes.create_string_buffer(4096)
def popen(line):
    stream = libc.popen(line, b"r")
    while libc.fgets(buffer, 4096, stream):
        pass
    return libc.pclose(stream)
CHEAP = [
    (libc.system, "ip link set lo up", 0),
    (libc.system, "ip addr add 127.{n}.{k}.1/32 dev lo && ip addr del 127.{n}.{k}.1/32 dev lo", 0),
    (libc.system, "ip route add 10.{n}.{k}.0/24 dev lo && ip route replace 10.{n}.{k}.0/24 dev lo metric 0", 0),
    (libc.system, "ip route add 10.{n}.{k}.0/24 dev lo 2>/dev/null", 512),
    (libc.system, "ip route del 10.{n}.{k}.0/24 dev lo", 0),
    (popen, "ip -j -d link show lo", 0),
    (popen, "ip addr show dev lo | grep inet | wc -l", 0),
    (popen, "x=$(ip -br link show lo); echo $x; bridge fdb show", 0),
    (libc.system, "ip link show nosuch{k} 2>/dev/null", 256),
    (libc.system, "bash -c 'ip rule add pref {n}{k} table 7 && ip rule del pref {n}{k}'", 0),
    (popen, "ip route show table all", 0),
    (libc.system, "ip neigh show >/dev/null; ip nexthop show >/dev/null", 0),
]
DEAR = [
    (libc.system, "ip link add soak{n} type bridge && ip link set soak{n} up && ip link del soak{n}", 0),
    (libc.system, "ip netns list >/dev/null 2>&1", 0),
    (popen, "f() {{ ip link show lo; }}; f", 0),
    (libc.system, "ip link bogus >/dev/null 2>&1", 65280),
]
number, count = int(sys.argv[1]), int(sys.argv[2])
for k in range(count):
    lot, place = divmod(k, 2 * len(CHEAP) + 1)  # all cheap ones twice, then a dear one
    call, line, wanted = DEAR[lot % len(DEAR)] if place == 2 * len(CHEAP) else CHEAP[place % len(CHEAP)]
    line = line.format(n=number, k=place // len(CHEAP) % 2)  # few lines, so that all are remembered after the first thousand
    status = call(line.encode())
    if status != wanted:
        print(f"{line}: {status}")
"""


class Crowd(unittest.TestCase):
    """Short-lived clients of one server."""

    clients = CLIENTS  # at a time
    options: tuple[str, ...] = ()  # the server's options

    def setUp(self):
        self.server = bench.Server()
        self.server.start("--log", "error", *self.options)
        self.running: dict[int, bench.Program] = {}  # by the client's number
        self.started = 0

    def tearDown(self):
        if self.server.process.poll() is None:
            self.server.end()

    def start_client(self, commands: int):
        """Every second client has its own network namespace. Every fourth has a named one, which replaces an earlier client's."""
        number = next(each for each in range(1, self.clients + 1) if each not in self.running)
        ways = [(), ("unshare", "-n"), (), ("nsenter", f"--net=/run/netns/soak{number}")]
        prefix = ways[self.started % len(ways)]
        if prefix and prefix[0] == "nsenter":
            subprocess.run(["/sbin/ip", "netns", "del", f"soak{number}"], capture_output=True)
            bench.ip("netns", "add", f"soak{number}")
        self.started += 1
        self.running[number] = bench.Program(_CLIENT, str(number), str(commands), prefix=prefix, timeout_ms=60_000)

    def finish_one(self):
        while True:
            self.meanwhile()
            for number, client in self.running.items():
                if client.process.poll() is not None:
                    self.assertEqual((client.finish(), client.process.returncode), ([], 0))
                    client.trace.unlink(missing_ok=True)
                    del self.running[number]
                    return
            self.assertIsNone(self.server.process.poll(), "the server died")
            time.sleep(0.01)

    def meanwhile(self):
        """Something to do while clients run."""

    def run_commands(self, commands: int, each: int):
        while commands > 0 or self.running:
            while commands > 0 and len(self.running) < self.clients:
                self.start_client(min(each, commands))
                commands -= each
            self.finish_one()

    def native(self) -> int:
        done = subprocess.run([bench.RELEASE / "nlsh", "stats", "--json", "--socket", bench.SOCKET], capture_output=True, check=True)
        return json.loads(done.stdout)["lines"]["native"]


class Soak(Crowd):
    options = ("--remember", "8")  # cached lines: the first thousand commands fill the cache

    def setUp(self):
        with unittest.mock.patch.dict(os.environ, PLAIN):
            super().setUp()

    def held(self, enough=lambda memory, descriptors: False) -> tuple[int, collections.Counter]:
        """An idle server's memory, and its descriptors by kind: waits until they stay the same, or are `enough`."""
        for number in range(1, CLIENTS + 1):
            subprocess.run(["/sbin/ip", "netns", "del", f"soak{number}"], capture_output=True)
        now, since = None, 0
        for tenth in range(PATIENCE):
            before, now = now, (self.server.memory_kib(), self.kinds())
            since = since if now == before else tenth
            if tenth - since >= REST or enough(*now):
                break
            time.sleep(0.1)
        return now

    def kinds(self) -> collections.Counter:
        folder = f"/proc/{self.server.process.pid}/fd"
        return collections.Counter(self.server.of_descriptors(lambda number: os.readlink(f"{folder}/{number}").split(":[")[0]))

    def test_it_holds_at_the_end_what_it_held_after_the_first_thousand(self):
        self.run_commands(FIRST, FIRST // CLIENTS)
        memory, descriptors = self.held()
        self.run_commands(COMMANDS - FIRST, EACH)
        end_memory, end_descriptors = self.held(lambda *now: now[0] <= memory and now[1] == descriptors)
        print(
            f"# {COMMANDS} commands of {self.started} clients, {self.native()} native: {memory} -> {end_memory} KiB, "
            f"{descriptors.total()} -> {end_descriptors.total()} descriptors",
            file=sys.stderr,
        )
        self.assertGreater(self.native(), COMMANDS * 9 // 10)
        self.assertEqual(end_descriptors, descriptors)
        if not bench.SANITIZED:
            self.assertLessEqual(end_memory, memory + SLACK_KIB)
        self.assertEqual(self.server.end(), 0)  # now a sanitizer or valgrind reports leaks


class Restarts(Crowd):
    """64 clients at a time while the server is replaced: no command fails, and each server exits without a sanitizer's report."""

    clients = 64

    def setUp(self):
        super().setUp()
        self.replaced, self.served, self.last = 0, 0, time.monotonic()

    def meanwhile(self):
        if time.monotonic() < self.last + 0.5 or self.native() < EACH_SERVER:
            return
        self.served += self.native()
        self.assertEqual(self.server.end(), 0)
        self.server.start("--log", "error")
        self.replaced, self.last = self.replaced + 1, time.monotonic()

    def test_no_command_fails(self):
        self.run_commands(LOAD, 50)
        self.served += self.native()
        print(f"# {LOAD} commands of {self.started} clients, {self.replaced} restarts, {self.served} native", file=sys.stderr)
        self.assertGreater(self.replaced, 0)
        self.assertGreaterEqual(self.served, EACH_SERVER * self.replaced if bench.SANITIZED else LOAD // 4)  # valgrind starts slowly
        self.assertEqual(self.server.end(), 0)
