"""A compromised server asks a client to open files (NLSH_OPEN); an older client."""

import array
import os
import socket
import struct
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

from . import bench
from .passing import SETTING


class FakeServer:
    """A compromised server, which asks the client to open any file."""

    def __init__(self, path: str, flags: int):
        self.asked, self.opened = (path, flags), []
        self.folder = tempfile.TemporaryDirectory()
        self.prefix = self.folder.name + "/sock"
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listener.bind(self.prefix + ".0")
        self.listener.listen()
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        connection, _ = self.listener.accept()
        with connection:
            connection.recvmsg(1 << 17, 256)
            path, flags = self.asked
            connection.send(struct.pack("=IHBBiHH", bench.MAGIC, bench.VERSION, bench.OPEN, 0, flags, 0, len(path)) + path.encode())
            answer, ancillary, _, _ = connection.recvmsg(64, 256)
            numbers = array.array("i", b"".join(data for _, _, data in ancillary))
            self.opened = [os.readlink(f"/proc/self/fd/{number}") for number in numbers]
            for number in numbers:
                os.close(number)
            connection.send(struct.pack("=IHBBiHH", bench.MAGIC, bench.VERSION, bench.DONE, 0, 0, 0, 0))

    def call(self, line: str) -> list[str]:
        program = f"import ctypes; ctypes.CDLL(None).system({line!r}.encode())"
        subprocess.run(
            ["/usr/bin/python3", "-I", "-c", program],
            check=True,
            timeout=60,
            env=os.environ | {"LD_PRELOAD": str(bench.PRELOAD), "NLSH_SOCKET": self.prefix},
        )
        self.thread.join(30)
        self.listener.close()
        self.folder.cleanup()
        return self.opened


class Clients(unittest.TestCase):
    WRITE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC

    def test_only_what_the_line_names(self):
        # A faulty client would open this file, which is in the test's private /run.
        victim = Path("/run/victim")
        victim.write_text("kept")
        line = f"echo 1 > {SETTING}; ip link set lo up # /proc/sys/../..{victim} {victim}"
        self.assertEqual(FakeServer(SETTING, self.WRITE).call(line), [SETTING])
        other = SETTING.replace("arp_filter", "forwarding")
        for path, flags in (
            (other, self.WRITE),
            (str(victim), self.WRITE),
            (f"/proc/sys/../..{victim}", self.WRITE),
            ("", self.WRITE),
            (SETTING, os.O_RDONLY),
            (SETTING, os.O_RDWR),
            (SETTING, self.WRITE | os.O_DIRECTORY),
            ("/proc/sys/", self.WRITE),
        ):
            with self.subTest(path, flags=flags):
                self.assertEqual(FakeServer(path, flags).call(line), [])
                self.assertEqual(victim.read_text(), "kept")

    def test_an_older_server(self):
        """An older server declines, so the line falls back. The lines of an older client fall back, too."""
        server = bench.Server()
        server.start()
        try:
            with bench.Peer() as peer:
                old = struct.pack("=IHBBII", bench.MAGIC, 1, bench.SYSTEM, 1, 5, 0) + b"ip li"
                peer.send(old)
                self.assertEqual(peer.reply(), bench.DECLINED)
        finally:
            server.end()
