"""Frames and lines that no client sends: the server declines them, and leaks nothing."""

import os
import random
import socket
import time
from pathlib import Path

from nlsh_test.trace import natives

from . import bench
from .attacked import STREAMS, Attacked

# Runs lines by system and by popen; prints each one's length, wait status and output.
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


class Frames(Attacked):
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
        """Lines of about 128 KiB (system and popen fail beyond), deeply nested lines, and lines of any bytes."""
        trace = Path("/run/long-lines")
        plain = bench.python(_LONG, seconds=120)
        native = bench.python(_LONG, seconds=120, preload=True, NLSH_TRACE=str(trace))
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
                peer.send(bench.request(b"ip -c=never link show"), [pipe[1]] * 250)
                if peer.reply() == bench.STREAM:
                    peer.send(STREAMS, [pipe[1]] * 250)
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
        for file in files:
            with self.subTest(file), bench.Peer() as peer:
                peer.send(bench.request(b"ip -c=never link show"))
                self.assertEqual(peer.reply(), bench.STREAM)
                peer.send(STREAMS, [file, file])
                peer.reply()
        for frame, given in ((STREAMS, None), (b"x", [writing, writing]), (STREAMS, [writing]), (b"\0" * 8, [writing] * 2)):
            with self.subTest(frame), bench.Peer() as peer:
                peer.send(bench.request(b"ip -c=never link show"))
                self.assertEqual(peer.reply(), bench.STREAM)
                peer.send(frame, given)
                peer.reply()
        for number in (*files, writing):
            os.close(number)

    def test_descriptors_with_the_request(self):
        """NLSH_STREAMS: with descriptors the result is the same; if some are missing, the server asks for them."""
        reading, writing = os.pipe()
        line = b"ip -c=never link show lo"
        with bench.Peer() as peer:
            peer.send(bench.request(line, flags=8), [writing, writing])
            self.assertEqual(peer.reply(), bench.DONE)
            self.assertIn(b"lo: <", os.read(reading, 65536))
        for given in (None, [writing]):
            with self.subTest(given), bench.Peer() as peer:
                peer.send(bench.request(line, flags=8), given)
                self.assertEqual(peer.reply(), bench.STREAM)
                peer.send(STREAMS, [writing, writing])
                self.assertEqual(peer.reply(), bench.DONE)
                self.assertIn(b"lo: <", os.read(reading, 65536))
        directory, other = os.open("/", os.O_RDONLY), self.server_socket()
        for flags in (8, 8 + 2, 8 + 16, 0xFF):
            for given in ([directory] * 2, [writing] * 250, [other, directory]):
                with self.subTest(flags), bench.Peer() as peer:
                    for _ in range(3):  # over a kept connection, too
                        peer.send(bench.request(line, flags=flags), given)
                        peer.reply()
            with bench.Peer() as peer:  # the server declines
                peer.send(bench.request(b"ls", flags=flags), [writing] * 2)
                self.assertEqual(peer.reply(), bench.DECLINED)
        for number in (reading, writing, directory, other):
            os.close(number)

    def test_a_request_in_drops(self):
        """A frame is one message: the server doesn't join two messages, and declines half a frame."""
        frame = bench.request(b"ip link add name evil type bridge")
        for cut in (1, 15, 16, 20, len(frame) - 1):
            with bench.Peer() as peer:
                peer.send(frame[:cut])
                time.sleep(0.01)
                peer.send(frame[cut:])
                self.assertIn(peer.reply(), (None, bench.DECLINED))
        with bench.Peer() as peer:  # sends the streams before the request
            peer.send(STREAMS)
            self.assertIn(peer.reply(), (None, bench.DECLINED))
        self.assertNotIn("evil", bench.ip("link"))
