"""Hostile and broken peers: the server answers others within a bound, and keeps nothing of them."""

import concurrent.futures
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
from nlsh_test.trace import natives

from . import bench

SPARE = 24  # descriptors of the sessions that the server keeps for those who call at the same time
BOUND = 60.0 if bench.SANITIZED else 5.0  # seconds for another's call during an attack: it may fall back


# By system and by popen; each line's length, wait status and output.
_LONG = """
import ctypes, zlib
libc = ctypes.CDLL(None)
libc.popen.restype = ctypes.c_void_p
libc.pclose.argtypes = [ctypes.c_void_p]
libc.fread.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p]
def popen(line):
    stream, buffer = libc.popen(line, b"r"), ctypes.create_string_buffer(1 << 18)
    if not stream:
        return None
    size = libc.fread(buffer, 1, 1 << 18, stream)
    return libc.pclose(stream), zlib.crc32(buffer.raw[:size])
up = b"ip link set lo up"
lines = [text + end * (size - len(text)) for size in (4096, 65536, 131000, 131071, 131072, 131073, 200000)
         for text, end in ((up + b" #", b"x"), (up + b" 2>/dev/null ", b"x"), (up, b" "), (b"echo ", b"y"))]
lines += [b"( " * deep + up + b" )" * deep for deep in (30, 39, 40, 41, 100)]
lines += [b"echo $(" * deep + up + b")" * deep for deep in (30, 39, 40, 41, 100)]
lines += [b"ip link set lo alias '\\xff\\xfe' && ip link show lo", b"ip link set lo alias '\\xc3\\xa9'; ip -j link show lo", b"echo \\x01\\x7f",
          up + b"\\r 2>/dev/null", b"ip link show '\\xff' 2>&1", b"\\xff 2>/dev/null", b"ip link set lo alias ''"]
for line in lines:
    print(len(line), line[:8], libc.system(line + b" >/dev/null" if len(line) < 4000 else line), popen(line), flush=True)
"""


class Peers(bench.WithServer):
    def setUp(self):
        self.caller = bench.Caller()
        for _ in range(50):
            self.assertEqual(self.caller.system("ip link set lo up")[0], 0)
        self.settle()
        self.before = self.server.descriptors()

    def settle(self):
        time.sleep(0.3)  # sessions of foreign namespaces and spare threads end

    def tearDown(self):
        """Whatever was done to it: the server is there, native, and holds nothing more."""
        self.assertIsNone(self.server.process.poll(), "the server died")
        native = self.caller.traced()[0]
        status, seconds = self.caller.system("ip link set lo up")
        self.assertEqual(status, 0)
        self.assertEqual(self.caller.traced()[0], native + 1, "not native any more")
        self.caller.finish()
        end = time.monotonic() + 5
        while self.server.descriptors() > self.before + SPARE and time.monotonic() < end:
            time.sleep(0.1)
        self.assertLessEqual(self.server.descriptors(), self.before + SPARE, "descriptors leaked")

    def others_are_answered(self):
        """The kernel's own lock is one for all namespaces: what the real one waits for it meanwhile isn't the server's doing."""

        def real() -> float:
            started = time.monotonic()
            subprocess.run(["/sbin/ip", "link", "set", "lo", "up"], check=True)
            return time.monotonic() - started

        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            meanwhile = pool.submit(real)
            status, seconds = self.caller.system("ip link set lo up")
            self.assertEqual(status, 0)
            self.assertLess(seconds, BOUND + meanwhile.result())

    def test_malformed_requests_are_declined(self):
        line = b"ip link add name evil type bridge"
        frames = [
            b"\0",
            b"\0" * 15,
            bench.request(line)[:15],
            bench.request(line)[:20],
            bench.request(line, magic=1),
            bench.request(line, version=9),
            bench.request(line, kind=7),
            bench.request(line, kind=0),
            bench.request(line, command_size=0xFFFFFFFF),
            bench.request(line, command_size=0),
            bench.request(line, environment_size=0xFFFFFFFF),
            bench.request(line, command_size=0xFFFFFFF0, environment_size=0x40),
            bench.request(line, command_size=len(line) + 1),
            bench.request(line, environment_size=0),
            bench.request(line) + b"more",
            bench.request(b"ip link add name ev\0il type bridge"),
            bench.request(line, environment=b"PATH"),
            bench.request(line, environment=b"PATH=/tmp\0" * 500),
        ]
        for frame in frames:
            with self.subTest(frame[:40]), bench.Peer() as peer:
                peer.send(frame)
                self.assertIn(peer.reply(), (None, bench.DECLINED))
        self.assertNotIn("evil", bench.ip("link"))

    def test_random_frames(self):
        chance = random.Random(1)
        good = bench.request(b"ip route show table main; ip addr show")
        for _ in range(400):
            frame = bytearray(good)
            for _ in range(chance.randint(1, 6)):
                frame[chance.randrange(16)] = chance.choice((0, 1, 2, 255, chance.randrange(256)))
            with bench.Peer() as peer:
                peer.send(bytes(frame[: chance.choice((len(frame), len(frame), chance.randrange(1, len(frame))))]))
                if chance.random() < 0.5:
                    peer.socket.shutdown(socket.SHUT_WR)

    def test_lines_as_long_as_they_get(self):
        for text in (
            b"ip link show " + b"x" * 100_000,
            b"(" * 50_000,
            b"ip link; " * 14_000,
            b"! " * 60_000 + b"ip link",
            b"ip " * 40_000,
            b'sh -c "' * 10_000,
            b"$(" * 50_000,
            b"if " * 40_000,
            b"{ " * 60_000,
            b"\xff\xfe" * 60_000,
            b"ip link | " + b"grep v | " * 13_000 + b"cat",
            b"true && " * 15_000 + b"true",
            b"x" * 130_000,
        ):
            with self.subTest(text[:20]), bench.Peer(30) as peer:
                frame = bench.request(text)
                if len(frame) > 128 * 1024 + 512:
                    continue
                peer.send(frame)
                peer.reply()
            self.assertIsNone(self.server.process.poll(), text[:20])

    def test_lines_up_to_what_exec_takes_are_as_without(self):
        """Around 128 KiB (system and popen fail beyond), nested as deep as no program does, of any bytes."""

        def outcome(environment: dict[str, str]) -> tuple[int, str, str]:
            done = subprocess.run(
                ["/usr/bin/python3", "-I", "-c", _LONG],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=120,
                env=os.environ | environment,
            )
            return done.returncode, done.stdout, done.stderr

        trace = Path("/run/long-lines")
        plain = outcome({})
        native = outcome({"LD_PRELOAD": str(bench.PRELOAD), "NLSH_SOCKET": bench.SOCKET, "NLSH_TRACE": str(trace)})
        self.assertEqual(plain[0], 0, plain[2])
        self.assertEqual(native, plain)
        self.assertGreater(natives(trace), 20)

    def test_oversized_frames(self):
        with bench.Peer() as peer:
            peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
            peer.send(bench.request(b"ip link show " + b"x" * 150_000))
            self.assertIn(peer.reply(), (None, bench.DECLINED))

    def test_descriptor_floods(self):
        pipe = os.pipe()
        for _ in range(30):
            with bench.Peer() as peer:
                peer.send(bench.request(b"ip link show"), [pipe[1]] * 250)
                if peer.reply() == bench.STREAM:
                    peer.send(b"\x6e\x6c\x73\x68\1\0\0\0", [pipe[1]] * 250)
                    os.read(pipe[0], 65536)
                    peer.reply()
        for number in pipe:
            os.close(number)

    def test_wrong_descriptors(self):
        reading, writing = os.pipe()
        files = [
            os.open("/", os.O_RDONLY),
            os.open("/etc/passwd", os.O_PATH),
            os.open("/dev/null", os.O_RDONLY),
            os.open("/dev/full", os.O_WRONLY),
            reading,
            self.server_socket(),
        ]
        streams = b"\x6e\x6c\x73\x68\1\0\0\0"
        for file in files:
            with self.subTest(file), bench.Peer() as peer:
                peer.send(bench.request(b"ip link show"))
                self.assertEqual(peer.reply(), bench.STREAM)
                peer.send(streams, [file, file])
                peer.reply()
        for frame, given in ((streams, None), (b"x", [writing, writing]), (streams, [writing]), (b"\0" * 8, [writing] * 2)):
            with self.subTest(frame), bench.Peer() as peer:
                peer.send(bench.request(b"ip link show"))
                self.assertEqual(peer.reply(), bench.STREAM)
                peer.send(frame, given)
                peer.reply()
        for number in (*files, writing):
            os.close(number)

    def test_descriptors_with_the_request(self):
        """NLSH_STREAMS: as the others; too few, the server asks for them."""
        reading, writing = os.pipe()
        line = b"ip link show lo"
        with bench.Peer() as peer:
            peer.send(bench.request(line, flags=8), [writing, writing])
            self.assertEqual(peer.reply(), bench.DONE)
            self.assertIn(b"lo: <", os.read(reading, 65536))
        for given in (None, [writing]):
            with self.subTest(given), bench.Peer() as peer:
                peer.send(bench.request(line, flags=8), given)
                self.assertEqual(peer.reply(), bench.STREAM)
                peer.send(b"\x6e\x6c\x73\x68\1\0\0\0", [writing, writing])
                self.assertEqual(peer.reply(), bench.DONE)
                self.assertIn(b"lo: <", os.read(reading, 65536))
        directory, other = os.open("/", os.O_RDONLY), self.server_socket()
        for flags in (8, 8 + 2, 8 + 16, 0xFF):
            for given in ([directory] * 2, [writing] * 250, [other, directory]):
                with self.subTest(flags), bench.Peer() as peer:
                    for _ in range(3):  # over a kept connection, too
                        peer.send(bench.request(line, flags=flags), given)
                        peer.reply()
            with bench.Peer() as peer:  # declined
                peer.send(bench.request(b"ls", flags=flags), [writing] * 2)
                self.assertEqual(peer.reply(), bench.DECLINED)
        for number in (reading, writing, directory, other):
            os.close(number)

    def server_socket(self) -> int:
        peer = bench.Peer()
        return peer.socket.detach()

    def test_closed_at_every_step(self):
        for step in range(4):
            for _ in range(20):
                with bench.Peer() as peer:
                    if step > 0:
                        peer.send(bench.request(b"ip link show"))
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
        time.sleep(2.5)  # each is waited for a second
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

    def test_a_request_in_drops(self):
        """A frame is one message: a second is not its rest, and half of one is none."""
        frame = bench.request(b"ip link add name evil type bridge")
        for cut in (1, 15, 16, 20, len(frame) - 1):
            with bench.Peer() as peer:
                peer.send(frame[:cut])
                time.sleep(0.01)
                peer.send(frame[cut:])
                self.assertIn(peer.reply(), (None, bench.DECLINED))
        with bench.Peer() as peer:  # the streams before the request
            peer.send(b"\x6e\x6c\x73\x68\1\0\0\0")
            self.assertIn(peer.reply(), (None, bench.DECLINED))
        self.assertNotIn("evil", bench.ip("link"))

    def test_what_is_remembered_is_bounded(self):
        """Lines of 100 KB, and PATHs of which each is new."""

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
        """Each sends another request again and again, just before it would be closed: there is room for others."""

        def keep(line=b"ip link set lo up"):
            return bench.request(line, flags=2)

        peers = [bench.Peer(path=f"{bench.SOCKET}.{number % os.cpu_count()}") for number in range(400)]
        for peer in peers:
            peer.send(keep())
        kept = [peer for peer in peers if peer.reply() == bench.DONE]
        self.assertGreater(len(kept), 100)
        for _ in range(20):
            for peer in kept:
                peer.send(keep())  # those that the server has closed: in vain
            self.others_are_answered()
            time.sleep(0.05)
        for peer in peers:
            peer.socket.close()
        bench.wait_for(lambda: self.server.threads() <= 40, 20)

    def test_clients_killed_at_any_point(self):
        """Programs under the preload in the midst of bursts: by system and by popen, kept connections and streams."""
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
            peer.send(bench.request(b"ip route show"))
            self.assertEqual(peer.reply(), bench.STREAM)
            peer.send(b"\x6e\x6c\x73\x68\1\0\0\0", [pipe[1], pipe[1]])
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
    """All threads wait for readers that don't read: others fall back at once."""

    def test_limits_are_those_given(self):
        server = bench.Server()
        server.start("--backlog", "7", "--remember", "2")
        self.addCleanup(lambda: server.process.poll() is None and server.end(signal.SIGKILL))
        listening = subprocess.run(["ss", "-xlH"], capture_output=True, text=True, check=True).stdout.split("\n")
        backlogs = {line.split()[3] for line in listening if f"{bench.SOCKET}.0" in line}
        self.assertEqual(backlogs, {"7"})
        caller = bench.Caller(timeout_ms=20_000)
        for number in range(20):  # more lines than are remembered, and again
            self.assertEqual(caller.system(f"ip link set lo mtu {65000 + number % 10}")[0], 0)
        self.assertEqual(caller.system("ip link set lo mtu 65536")[0], 0)

    def test_others_are_turned_away_at_once(self):
        server = bench.Server()
        server.start("--threads", "6", "--log", "off")
        self.addCleanup(lambda: server.process.poll() is None and server.end(signal.SIGKILL))
        pipe = os.pipe()
        peers = [bench.Peer(path=f"{bench.SOCKET}.{number % os.cpu_count()}") for number in range(40)]
        for peer in peers:
            peer.send(bench.request(b"ip link set lo up; " + b"ip -d link; " * 400))  # what has begun is waited for
        for peer in peers:
            if peer.reply() == bench.STREAM:
                peer.send(b"\x6e\x6c\x73\x68\1\0\0\0", [pipe[1], pipe[1]])
        caller = bench.Caller(timeout_ms=20_000)  # waiting for the server would take longer than the bound
        for _ in range(10):
            status, seconds = caller.system("ip link set lo up")
            self.assertEqual(status, 0)
            self.assertLess(seconds, BOUND)
        self.assertIn("\tspawned: the server is busy\n", caller.trace.read_text())
        if not bench.SANITIZED:  # they have threads of their own
            self.assertLessEqual(server.threads(), 6 + 3 + os.cpu_count())
        for number in pipe:
            os.close(number)
        for peer in peers:
            peer.socket.close()
        native = caller.traced()[0]
        bench.wait_for(lambda: caller.system("ip link set lo up") and caller.traced()[0] > native)
        caller.finish()
        self.assertEqual(server.end(), 0)


if __name__ == "__main__":
    unittest.main()
