"""Common code of the tests with hostile and broken peers."""

import concurrent.futures
import subprocess
import time

from . import bench

SPARE = 24  # descriptors of the sessions that the server keeps for concurrent callers
BOUND = 60.0 if bench.SANITIZED else 5.0  # seconds for another caller's call during an attack; this call may fall back
STREAMS = b"\x6e\x6c\x73\x68\1\0\0\0"  # the frame that comes with the outputs' descriptors


class Attacked(bench.WithServer):
    def setUp(self):
        self.caller = bench.Caller()
        for _ in range(50):
            self.assertEqual(self.caller.system("ip link set lo up")[0], 0)
        self.settle()
        self.before = self.server.descriptors()

    def settle(self):
        time.sleep(0.3)  # the server closes sessions of other namespaces and ends spare threads

    def tearDown(self):
        """After each attack the server runs, answers natively, and holds no more resources than before."""
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
        """All namespaces share the kernel's RTNL lock, so the bound grows by the time that the real ip waits for the lock."""

        def real() -> float:
            started = time.monotonic()
            subprocess.run(["/sbin/ip", "link", "set", "lo", "up"], check=True)
            return time.monotonic() - started

        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            meanwhile = pool.submit(real)
            status, seconds = self.caller.system("ip link set lo up")
            self.assertEqual(status, 0)
            self.assertLess(seconds, BOUND + meanwhile.result())

    def server_socket(self) -> int:
        peer = bench.Peer()
        return peer.socket.detach()
