"""Floods over the callers' own netlink sockets: files that are never opened, full queues, thousands of sockets, readers that never read.
The server answers others within a bound and leaks nothing; the heir finishes its lines, too."""

import contextlib
import os
import select
import signal
import struct
import subprocess
import threading
import time
import unittest

from . import bench
from .passing import NOBODY, SETTING, SILENT, WEAKER, WithOpenServer, ask, changed, receive, route_socket

THREADS = 32
BOUND = 60.0 if bench.SANITIZED else 5.0  # seconds for another caller's call during an attack
SPARE = 24  # descriptors of sessions that the server keeps
CHAIN = " && ".join(f"ip route add 10.99.0.{number} dev lo" for number in range(20))
UNDO = "ip route flush root 10.99.0.0/24"


def notifications():
    """Makes the kernel send notifications all the time."""
    changes = "while echo link set veth77 mtu 1400 && echo link set veth77 mtu 1500; do :; done"
    return subprocess.Popen(["sh", "-c", f"{changes} | exec ip -force -batch -"], stderr=subprocess.DEVNULL, start_new_session=True)


class Floods(WithOpenServer):
    options = ("--threads", str(THREADS * (os.cpu_count() or 1)))

    def setUp(self):
        super().setUp()
        self.caller = bench.Caller()
        for _ in range(20):
            self.assertEqual(self.caller.system("ip link set lo up")[0], 0)
        time.sleep(0.3)
        self.before, self.memory = self.server.descriptors(), self.server.memory_kib()

    def tearDown(self):
        """The server answers natively again, and holds no more resources than before."""
        native = self.caller.traced()[0]
        bench.wait_for(lambda: self.caller.system("ip link set lo up")[0] == 0 and self.caller.traced()[0] > native, 30)
        self.caller.finish()
        bench.wait_for(lambda: self.server.descriptors() <= self.before + SPARE, 30)
        if not bench.SANITIZED:
            self.assertLess(self.server.memory_kib(), self.memory + 8192)

    def others_are_answered(self, times: int = 10) -> float:
        """The seconds of the longest call."""
        calls = [self.caller.system("ip link set lo up") for _ in range(times)]
        self.assertEqual({status for status, _ in calls}, {0})
        longest = max(seconds for _, seconds in calls)
        self.assertLess(longest, BOUND)
        return longest

    def test_files_that_are_never_opened(self):
        """Each caller holds a thread until its timeout. If all threads are held, other callers fall back at once."""
        line = f"ip link set lo up && echo 0 > {SETTING}".encode()
        with contextlib.ExitStack() as stack:
            own = stack.enter_context(route_socket())
            waiting = 0
            for number in range(THREADS * 2):
                peer = stack.enter_context(bench.Peer(path=f"{bench.SOCKET}.{number % os.cpu_count()}"))
                peer.send(bench.request(line, flags=bench.WANT_TEXT | bench.NETLINK), [own.fileno()])
                waiting += receive(peer).type == bench.OPEN
            self.assertGreater(waiting, THREADS // 2)
            longest = self.others_are_answered()
            descriptors = self.server.descriptors() - self.before
            print(f"# {waiting} files that are never opened: {descriptors} descriptors, another's longest call {longest * 1000:.0f} ms")
            self.assertLess(descriptors, waiting * 4 + SPARE)

    def test_answers_that_are_none(self):
        """Replies to NLSH_OPEN: none, too short, with another magic, files of other kinds."""
        line = f"echo 0 > {SETTING}".encode()
        with open("/run/plain", "wb") as plain, route_socket() as own:
            for answer, descriptors in (
                (b"\0", []),
                (b"\0" * 12, [plain.fileno()]),
                (bench.opened(), []),
                (bench.opened(), [plain.fileno()]),
                (bench.opened(), [own.fileno()]),
                (bench.opened(), [SILENT]),
                (bench.opened(), [SILENT] * 200),
                (bench.opened(error=2**31 - 1), []),
                (bench.opened(error=-1), [SILENT]),
            ):
                with self.subTest(answer, count=len(descriptors)), bench.Peer() as peer:
                    peer.send(bench.request(line, flags=bench.NETLINK), [own.fileno()])
                    self.assertEqual(receive(peer).type, bench.OPEN)
                    peer.send(answer, descriptors)
                    with contextlib.suppress(ConnectionResetError):
                        frame = peer.socket.recv(4096)  # the line fails, or the connection closes
                        self.assertFalse(frame and frame[6] == bench.DONE and frame[8:12] == bytes(4), frame)
                    self.assertEqual(os.path.getsize("/run/plain"), 0)

    def test_queues_that_others_fill(self):
        bench.ip("link", "add", "veth77", "type", "veth", "peer", "name", "veth78")
        self.addCleanup(bench.ip, "link", "del", "veth77")
        flood = notifications()
        try:
            kinds, longest = set(), 0.0
            with route_socket() as own:
                own.bind((0, 0xFFFFFFFF))
                self.assertTrue(select.select([own], [], [], 10)[0])
                for _ in range(50):
                    start = time.monotonic()
                    answer = ask("ip link set lo mtu 1400 && ip link show lo", own.fileno())
                    longest = max(longest, time.monotonic() - start)
                    kinds.add((answer.type, answer.status))
                    self.others_are_answered(1)
            self.assertLess(longest, BOUND * 4)
            print(f"# 50 calls over a full queue: {sorted(kinds)}, the longest {longest * 1000:.0f} ms")
        finally:
            os.killpg(flood.pid, signal.SIGKILL)
            flood.wait()

    def test_thousands_of_sockets(self):
        own = [route_socket() for _ in range(50)]
        self.addCleanup(lambda: [each.close() for each in own])
        most = 0
        with contextlib.ExitStack() as stack:
            kept = []
            for number in range(3000):
                peer = bench.Peer()
                flags = bench.NETLINK | (bench.KEEP if number % 2 else 0)
                peer.send(bench.request(b"ip link set lo up", flags=flags), [own[number % len(own)].fileno()])
                self.assertIn(receive(peer).type, (bench.DONE, bench.DECLINED))
                kept.append(stack.enter_context(peer))
                if len(kept) > 200:
                    kept.pop(0).socket.close()
                if number % 100 == 0:
                    most = max(most, self.server.descriptors() - self.before)
            self.others_are_answered()
        print(f"# 3000 sockets, {most} more descriptors at most")
        self.assertLess(most, THREADS * (os.cpu_count() or 1) * 4)

    def test_more_descriptors_than_are_asked_for(self):
        with route_socket() as own:
            for count in (2, 3, 4, 50, 253):
                with self.subTest(count), bench.Peer() as peer:
                    peer.send(bench.request(b"ip link set lo up", flags=bench.NETLINK | bench.WANT_TEXT), [own.fileno()] * count)
                    self.assertIn(receive(peer).type, (bench.DONE, bench.DECLINED))
        self.others_are_answered()

    def test_strangers_that_never_read(self):
        """Each caller holds a thread of its user's share, so root still finds free threads."""
        for number in range(250):
            bench.ip("addr", "add", f"127.88.0.{number + 1}/32", "dev", "lo")
        self.addCleanup(lambda: [bench.ip("addr", "del", f"127.88.0.{number + 1}/32", "dev", "lo") for number in range(250)])
        reading, writing = os.pipe()
        line = "ip -d addr show; " * 40
        done = threading.Event()

        def hold():
            peers = []
            for number in range(THREADS * 2):
                peer = bench.Peer(path=f"{bench.SOCKET}.{number % os.cpu_count()}")
                with route_socket() as own:
                    frame = bench.request(line.encode(), flags=bench.NETLINK | bench.STREAMS)
                    peer.send(frame, [writing, writing, own.fileno()])
                peers.append(peer)
            os.write(ready[1], b"full")
            time.sleep(3)

        ready = os.pipe()
        holder = threading.Thread(target=lambda: (changed(WEAKER["nobody"], hold), done.set()))
        holder.start()
        os.read(ready[0], 10)
        native = self.caller.traced()[0]
        longest = self.others_are_answered(100)
        self.assertFalse(done.is_set())
        self.assertEqual(self.caller.traced()[0], native + 100)
        holder.join()
        for number in (reading, writing, *ready):
            os.close(number)
        print(f"# {THREADS * 2} calls of uid {NOBODY} that nobody reads: another's longest call {longest * 1000:.1f} ms, all native")


def has_ended(process: str) -> bool:
    try:
        return bench.status_of(process)["State"].startswith("Z")
    except OSError:
        return True


@unittest.skipIf("--no-seccomp" in bench.OPTIONS, "a server without a filter has no heir")
class Heir(unittest.TestCase):
    """The heir continues lines over the callers' own sockets."""

    def killed_amid(self, prepare, beside) -> set:
        """Kills the server during the callers' lines; returns how these lines end. Another caller's call is native right afterwards."""
        server, kinds = bench.Server(), set()
        for number in range(15):
            server.start()
            server.answers()
            bench.wait_for(lambda: bench.child_of(server.process.pid, "nlsh-heir"))
            heir = bench.child_of(server.process.pid, "nlsh-heir")
            with route_socket() as own:
                prepare(own)
                stop = threading.Event()
                thread = threading.Thread(target=beside, args=(own, stop))
                thread.start()
                killer = threading.Timer(0.002 + number * 0.0004, server.end, (signal.SIGKILL,))
                killer.start()
                ends = []
                with contextlib.suppress(ConnectionError, struct.error):
                    for _ in range(1000):
                        answer = ask(f"{CHAIN}; {UNDO}", own.fileno(), kind=bench.SYSTEM, streams=(SILENT, SILENT))
                        ends.append((answer.type, answer.status))
                kinds |= set(ends[-1:])
                killer.join()
                bench.wait_for(lambda: has_ended(heir), 20)
                stop.set()
                thread.join()
            subprocess.run(["/sbin/ip", "route", "flush", "root", "10.99.0.0/24"], check=True)
            server.start()
            server.answers()
            self.assertEqual(ask("ip link set lo up").status, 0)
            server.end()
        return kinds

    def test_owners_that_read_the_answers(self):
        def steal(own, stop):
            own.settimeout(0.001)
            while not stop.is_set():
                with contextlib.suppress(OSError):
                    own.recv(65536)

        print("# owners that read:", sorted(self.killed_amid(lambda own: None, steal)))

    def test_owners_whose_queue_is_full(self):
        bench.ip("link", "add", "veth77", "type", "veth", "peer", "name", "veth78")
        self.addCleanup(bench.ip, "link", "del", "veth77")

        def fill(_, stop):
            flood = notifications()
            stop.wait()
            os.killpg(flood.pid, signal.SIGKILL)
            flood.wait()

        print("# owners whose queue is full:", sorted(self.killed_amid(lambda own: own.bind((0, 0xFFFFFFFF)), fill)))
