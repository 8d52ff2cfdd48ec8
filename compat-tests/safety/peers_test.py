"""Hostile and broken peers: the server answers other callers within a bound, and leaks nothing."""

import os
import random
import resource
import signal
import socket
import subprocess
import time
import unittest
from pathlib import Path

from nlsh_test.place import CALLS

from . import bench
from .attacked import BOUND, STREAMS, Attacked


class Peers(Attacked):
    def test_closed_at_every_step(self):
        for step in range(4):
            for _ in range(20):
                with bench.Peer() as peer:
                    if step > 0:
                        peer.send(bench.request(b"ip -c=never link show"))
                    if step > 1:
                        peer.reply()
                    if step > 2:
                        peer.socket.shutdown(socket.SHUT_RDWR)
        self.others_are_answered()

    def test_five_hundred_that_say_nothing(self):
        peers = [bench.Peer() for _ in range(500)]
        self.others_are_answered()
        for peer in peers[:250]:
            peer.send(bench.request(b"ip link set lo up"))
        self.others_are_answered()
        for peer in peers:
            peer.socket.close()
        time.sleep(2.5)  # the server waits a second for each
        end = time.monotonic() + 5
        while self.server.threads() > 40 and time.monotonic() < end:
            time.sleep(0.2)
        self.assertLessEqual(self.server.threads(), 40)

    def test_three_thousand_connections(self):
        resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
        frame = bench.request(b"ip link set lo up")
        peers = []
        for number in range(3000):
            peer = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK)
            try:
                peer.connect(f"{bench.SOCKET}.{number % os.cpu_count()}")
                if number % 3 == 0:
                    peer.send(frame)
                elif number % 3 == 1:
                    peer.shutdown(socket.SHUT_WR)
            except (BlockingIOError, BrokenPipeError, ConnectionError):
                pass
            peers.append(peer)
        for _ in range(5):
            self.others_are_answered()
        for peer in peers:
            peer.close()
        bench.wait_for(lambda: self.server.threads() <= 40, 20)

    def test_what_is_remembered_is_bounded(self):
        """Lines of 100 KB, each with a new PATH."""

        def ask(line: bytes, path: bytes = b"/sbin:/bin"):
            with bench.Peer(30) as peer:
                peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
                peer.send(bench.request(line, environment=b"PATH=" + path + b"\0"))
                self.assertIsNotNone(peer.reply())

        ask(b"ip link set lo up")
        memory = self.server.memory_kib()
        for number in range(300):
            ask(b"ip link set lo up; " * 5000 + b"exit %d" % number)
            ask(b"ip link set lo up", b":".join(b"/run/%d/%d" % (number, place) for place in range(20)))
        folder = Path(f"/proc/{self.server.process.pid}/fdinfo")
        watches = sum(self.server.of_descriptors(lambda number: (folder / number).read_text().count("inotify wd")))
        self.assertLess(watches, 100)
        if not bench.SANITIZED:
            self.assertLess(self.server.memory_kib(), memory + 64 * 1024)

    def test_kept_connections_by_the_hundred(self):
        """Each peer sends a request just before its connection would be closed, again and again: others still find room."""

        def keep(line=b"ip link set lo up"):
            return bench.request(line, flags=2)

        peers = [bench.Peer(path=f"{bench.SOCKET}.{number % os.cpu_count()}") for number in range(400)]
        for peer in peers:
            peer.send(keep())
        kept = [peer for peer in peers if peer.reply() == bench.DONE]
        self.assertGreater(len(kept), 100)
        for _ in range(20):
            for peer in kept:
                peer.send(keep())  # fails on connections that the server has closed
            self.others_are_answered()
            time.sleep(0.05)
        for peer in peers:
            peer.socket.close()
        bench.wait_for(lambda: self.server.threads() <= 40, 20)

    def test_clients_killed_at_any_point(self):
        """Kills programs under the preload during bursts by system and by popen, with kept connections and streams."""
        chance = random.Random(2)
        text = f"""{CALLS}
while True:
    libc.system(b"ip link set lo up && ip addr show lo >/dev/null")
    libc.pclose(libc.popen(b"ip -d link; ip route show table all", b"r"))
    libc.system(b"ip link show lo | grep -c lo")
"""
        environment = os.environ | {"LD_PRELOAD": str(bench.PRELOAD), "NLSH_SOCKET": bench.SOCKET}
        for _ in range(60):
            client = subprocess.Popen(["/usr/bin/python3", "-I", "-c", text], env=environment, stdout=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.03, 0.15))
            client.kill()
            client.wait()
        self.others_are_answered()

    def test_a_reader_that_does_not_read(self):
        pipe = os.pipe()
        peers = []
        routes = "".join(f"route add 10.{number // 256}.{number % 256}.1/32 dev lo\n" for number in range(5000))
        subprocess.run(["ip", "-batch", "-"], input=routes, text=True, check=True)
        self.addCleanup(bench.ip, "route", "flush", "dev", "lo")
        for _ in range(10):
            peer = bench.Peer()
            peer.send(bench.request(b"ip -c=never route show"))
            self.assertEqual(peer.reply(), bench.STREAM)
            peer.send(STREAMS, [pipe[1], pipe[1]])
            peers.append(peer)
        time.sleep(0.2)
        self.others_are_answered()
        for number in pipe:
            os.close(number)
        for peer in peers:
            peer.socket.close()

    def test_a_deleted_namespace_dies(self):
        bench.ip("netns", "add", "nlshsafety")
        bench.ip("link", "add", "sv0", "type", "veth", "peer", "name", "sv1", "netns", "nlshsafety")
        inside = bench.Caller("ip", "netns", "exec", "nlshsafety", "unshare", "-m", "--propagation", "private")
        nearby = bench.Caller("nsenter", "--net=/run/netns/nlshsafety")
        for caller in (inside, nearby):
            self.assertEqual(caller.system("ip link set sv1 up")[0], 0)
        inside.finish(), nearby.finish()
        self.assertGreater(nearby.traced()[0], 0)
        bench.ip("netns", "del", "nlshsafety")
        end = time.monotonic() + 5
        while "sv0" in bench.ip("link") and time.monotonic() < end:
            time.sleep(0.05)
        self.assertNotIn("sv0", bench.ip("link"), "the server keeps the namespace alive")


class Busy(unittest.TestCase):
    """All threads wait for readers that don't read, so other callers fall back at once."""

    def test_limits_are_those_given(self):
        server = bench.Server()
        server.start("--backlog", "7", "--remember", "2")
        self.addCleanup(lambda: server.process.poll() is None and server.end(signal.SIGKILL))
        listening = subprocess.run(["ss", "-xlH"], capture_output=True, text=True, check=True).stdout.split("\n")
        backlogs = {line.split()[3] for line in listening if f"{bench.SOCKET}.0" in line}
        self.assertEqual(backlogs, {"7"})
        caller = bench.Caller(timeout_ms=20_000)
        for number in range(20):  # more lines than the server caches, twice
            self.assertEqual(caller.system(f"ip link set lo mtu {65000 + number % 10}")[0], 0)
        self.assertEqual(caller.system("ip link set lo mtu 65536")[0], 0)

    def test_others_are_turned_away_at_once(self):
        server = bench.Server()
        server.start("--threads", "6", "--log", "off")
        self.addCleanup(lambda: server.process.poll() is None and server.end(signal.SIGKILL))
        pipe = os.pipe()
        peers = [bench.Peer(path=f"{bench.SOCKET}.{number % os.cpu_count()}") for number in range(40)]
        for peer in peers:
            peer.send(bench.request(b"ip link set lo up; " + b"ip -d link; " * 400))  # the server waits for running lines
        for peer in peers:
            if peer.reply() == bench.STREAM:
                peer.send(STREAMS, [pipe[1], pipe[1]])
        caller = bench.Caller(timeout_ms=20_000)  # a call that waited for the server would exceed the bound
        for _ in range(10):
            status, seconds = caller.system("ip link set lo up")
            self.assertEqual(status, 0)
            self.assertLess(seconds, BOUND)
        self.assertIn("\tspawned: the server is busy\n", caller.trace.read_text())
        if not bench.SANITIZED:  # sanitizers have threads of their own
            self.assertLessEqual(server.threads(), 6 + 3 + os.cpu_count())
        for number in pipe:
            os.close(number)
        for peer in peers:
            peer.socket.close()
        native = caller.traced()[0]
        bench.wait_for(lambda: caller.system("ip link set lo up") and caller.traced()[0] > native)
        caller.finish()
        self.assertEqual(server.end(), 0)
