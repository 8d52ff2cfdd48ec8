#!/usr/bin/env python3
"""Connections that are kept over a burst of calls: what the server grants to whom, and that bursts use it. Argument:
the build directory. Needs root."""

import contextlib
import ctypes
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

import preload_case
from preload_case import LIMIT, PRELOAD

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "compat-tests"))
from in_child import in_child
from nlsh_test import trace
from nlsh_test.processes import started

REQUEST = struct.Struct("=IHBBIIIIQ")
REPLY = struct.Struct("=IHBBiHH")
MAGIC, VERSION, SYSTEM, POPEN, KEEP, KEPT = 0x68736C6E, 2, 2, 1, 2, 1
KEEP_APART, KEPT_APART, SO_NETNS_COOKIE = 32, 8, 71
DECLINED, STREAM, DONE = 1, 2, 3
NOT_THIS_CALLER, PASS_SOCKET = 16, 32  # flags of DECLINED
CALLS = 200
BURST = (
    """import ctypes
system = ctypes.CDLL(None).system
print(sum(system(b"ip test status 3") == 3 << 8 for _ in range(%d)))
"""
    % CALLS
)
UNTIL_STOPPED = """import ctypes, os, sys
system = ctypes.CDLL(None).system
seen = set()
while not os.path.exists(sys.argv[1]): seen.add(system(b"ip test status 3"))
print(*seen)
"""


class Peer:
    """A client by hand."""

    def __init__(self, prefix):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(LIMIT)
        self.socket.connect(prefix + ".0")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, line, flags=KEEP, kind=SYSTEM):
        line = line.encode()
        with contextlib.suppress(BrokenPipeError):  # the answer tells
            self.socket.send(REQUEST.pack(MAGIC, VERSION, kind, 0, flags, len(line), 0, 0, 0) + line)

    def receive(self):
        """(type, flags, status, text), None at the end. An answer given unread is behind the news of our lost bytes."""
        answer = b""
        for _ in range(2):
            with contextlib.suppress(ConnectionResetError):
                answer = self.socket.recv(8192)
                break
        if not answer:
            return None
        _, _, kind, flags, status, output, text = REPLY.unpack(answer[: REPLY.size])
        return kind, flags, status, answer[REPLY.size + output : REPLY.size + output + text].decode()

    def ask(self, *request, **more):
        self.send(*request, **more)
        return self.receive()


class Kept(preload_case.PreloadTest):
    def setUp(self):
        super().setUp()
        self.server = self.start()

    def kept(self):
        """A connection that the server keeps: it doesn't while its threads are busy."""
        deadline = time.monotonic() + LIMIT
        while True:
            peer = Peer(self.prefix)
            self.addCleanup(peer.socket.close)
            kind, flags, status, _ = peer.ask("ip test status 3")
            self.assertEqual((kind, status), (DONE, 3 << 8))
            if flags == KEPT:
                return peer
            self.assertIsNone(peer.receive())
            self.assertLess(time.monotonic(), deadline)

    def asked_while_kept(self, ask):
        """A kept connection and the result of ask(connection). Retries if the server closed it, as it does on a busy machine."""
        deadline = time.monotonic() + LIMIT
        while True:
            peer = self.kept()
            answer = ask(peer)
            if answer not in (None, "None"):
                return peer, answer
            self.assertLess(time.monotonic(), deadline)

    def test_as_asked_for(self):
        with Peer(self.prefix) as peer:
            self.assertEqual(peer.ask("ip test status 4", 0), (DONE, 0, 4 << 8, ""))
            self.assertIsNone(peer.receive())
        peer, answer = self.asked_while_kept(lambda peer: peer.ask("ip test status 5", 0))
        self.assertEqual(answer, (DONE, 0, 5 << 8, ""))
        self.assertIsNone(peer.receive())

    def test_idle_ones_are_closed(self):
        self.assertIsNone(self.kept().receive())

    def test_what_is_declined_ends_it(self):
        peer, answer = self.asked_while_kept(lambda peer: peer.ask("echo ip"))
        self.assertEqual(answer, (DECLINED, 0, 0, "not a test"))
        self.assertIsNone(peer.receive())

    def test_inherited_by_another_process(self):
        """It would have the rights of the process that connected."""
        peer, answer = self.asked_while_kept(lambda peer: in_child(lambda: peer.ask("ip test status 6")))
        self.assertEqual(answer, repr((DECLINED, NOT_THIS_CALLER, 0, "the connection is another process's")))
        self.assertIsNone(peer.receive())

    def assert_turned_away(self, change, why):
        """A process of its own has a kept connection, changes itself and asks."""

        def changed():
            peer = self.kept()
            return change(peer)

        deadline = time.monotonic() + LIMIT
        while (answer := in_child(changed)) == "None":
            self.assertLess(time.monotonic(), deadline)
        self.assertEqual(answer, repr((DECLINED, NOT_THIS_CALLER | PASS_SOCKET, 0, why)))

    def test_rights_dropped_meanwhile(self):
        def drop(peer):
            os.setresuid(65534, 65534, 65534)
            return peer.ask("ip test status 6")

        self.assert_turned_away(drop, "peer is not root")

    def test_capabilities_dropped_meanwhile(self):
        def drop(peer):
            header, data = struct.pack("Ii", 0x20080522, 0), ctypes.create_string_buffer(24)
            assert ctypes.CDLL(None).capset(header, data) == 0
            return peer.ask("ip test status 6")

        self.assert_turned_away(drop, "peer has other capabilities")

    def test_not_in_another_namespace(self):
        """The connection would hold it."""

        def elsewhere():
            assert ctypes.CDLL(None).unshare(0x40000000) == 0
            with Peer(self.prefix) as peer:
                return peer.ask("ip test status 6"), peer.receive()

        self.assertEqual(in_child(elsewhere), repr(((DONE, 0, 6 << 8, ""), None)))

    def test_apart_in_another_namespace(self):
        """Over a connection of the server's namespace, in its first one's place; still for who connected alone."""

        def cookie(of):
            return of.getsockopt(socket.SOL_SOCKET, SO_NETNS_COOKIE, 8)

        def elsewhere():
            with socket.socket(socket.AF_UNIX) as fresh:
                servers = cookie(fresh)
            assert ctypes.CDLL(None).unshare(0x40000000) == 0
            deadline = time.monotonic() + LIMIT
            while True:
                peer = Peer(self.prefix)
                peer.send("ip test status 6", KEEP | KEEP_APART)
                answer, descriptors, _, _ = socket.recv_fds(peer.socket, 8192, 2)
                if descriptors or time.monotonic() > deadline:
                    break  # its threads weren't busy
            flags = REPLY.unpack(answer[: REPLY.size])[3]
            first, peer.socket = peer.socket, socket.socket(fileno=descriptors[0])
            ended = first.recv(8192)
            here = cookie(first) != servers and cookie(peer.socket) == servers
            again = peer.ask("ip test status 5", KEEP | KEEP_APART)
            anothers = in_child(lambda: peer.ask("ip test status 6")[3])
            for each in first, peer.socket:
                each.close()
            return flags, ended, here, again, anothers

        self.assertEqual(
            in_child(elsewhere), repr((KEPT | KEPT_APART, b"", True, (DONE, KEPT, 5 << 8, ""), repr("the connection is another process's")))
        )

    def test_bursts_use_them_in_another_namespace(self):
        log = self.directory + "/strace"
        self.burst("unshare", "-n", "strace", "-f", "-e", "trace=connect", "-o", log, "env", "LD_PRELOAD=" + PRELOAD)
        with open(log, encoding="utf-8") as file:
            made = len(re.findall(r"connect\(.*sock\.", file.read()))
        self.assertGreater(made, 0)
        self.assertLess(made, CALLS)

    def test_a_namespace_that_was_left_dies(self):
        """Though the program, which has gone elsewhere, keeps the connection: nobody calls any more."""
        text = (
            """import ctypes, os, signal, subprocess, time
libc = ctypes.CDLL(None)
def real(*words): return subprocess.run(words, env={"PATH": os.environ["PATH"]}, capture_output=True).returncode
there = subprocess.Popen(["unshare", "-n", "sh", "-c", "echo; exec sleep 1000"], stdout=subprocess.PIPE, env={"PATH": os.environ["PATH"]})
there.stdout.readline()
assert real("/sbin/ip", "link", "add", "nlsht1", "type", "veth", "peer", "name", "nlsht2", "netns", str(there.pid)) == 0
home = os.open("/proc/self/ns/net", os.O_RDONLY)
other = os.open(f"/proc/{there.pid}/ns/net", os.O_RDONLY)
assert libc.setns(other, 0) == 0
assert {libc.system(b"ip test status 3") for _ in range(20)} == {3 << 8}
assert libc.setns(home, 0) == 0
os.close(other)
there.kill()
there.wait()
end = time.monotonic() + %d
while real("/sbin/ip", "link", "show", "nlsht1") == 0: assert time.monotonic() < end
kept = [number for number in os.listdir("/proc/self/fd") if int(number) >= 100]
assert kept, "no connection was kept"
"""
            % LIMIT
        )
        subprocess.run(["unshare", "-n", "/usr/bin/python3", "-I", "-c", text], env=self.environment(), timeout=2 * LIMIT, check=True)
        self.assertEqual({(how, why) for _, how, _, why in self.traced()}, {("native", "")})

    def test_a_stream_and_two_requests_at_once(self):
        peer, answer = self.asked_while_kept(lambda peer: peer.ask("ip test out 20000", kind=POPEN))
        self.assertEqual(answer[:2], (STREAM, 0))
        with open("/dev/null", "wb") as null:
            socket.send_fds(peer.socket, [struct.pack("=IHBB", MAGIC, VERSION, 0, 0)], [null.fileno()] * 4)
        self.assertEqual(peer.receive(), (DONE, 0, 0, ""))
        peer = self.kept()
        peer.send("ip test sleep 100")
        peer.send("ip test sleep 100")
        if answer := peer.receive():  # else the other one was left unread
            self.assertIn(answer[0], (DECLINED, DONE))
        self.assertIsNone(self.server.poll())

    def test_many_leave_room(self):
        peers = [Peer(self.prefix) for _ in range(300)]
        for peer in peers:
            peer.send("ip test status 3")
        answers = [peer.receive() for peer in peers]
        self.assertTrue(any(answer and answer[0] == DONE for answer in answers))
        self.assertEqual(self.client("system", "ip test status 3").seen["system"], 3 << 8)
        for peer in peers:
            peer.socket.close()

    def burst(self, *wrap):
        done = subprocess.run(
            [*wrap, "/usr/bin/python3", "-I", "-c", BURST],
            env=self.environment(),
            text=True,
            stdout=subprocess.PIPE,
            timeout=LIMIT,
            check=True,
        )
        self.assertEqual(done.stdout, f"{CALLS}\n")
        self.assertEqual({how for _, how, _, _ in self.traced()}, {"native"})

    def test_bursts_use_them(self):
        log = self.directory + "/strace"
        self.burst("strace", "-f", "-e", "trace=connect", "-o", log, "env", "LD_PRELOAD=" + PRELOAD)
        with open(log, encoding="utf-8") as file:
            made = len(re.findall(r"connect\(.*sock\.", file.read()))
        self.assertGreater(made, 0)
        self.assertLess(made, CALLS)

    def test_a_child_with_the_same_number(self):
        """The first process of a pid namespace and of another one within it: each must get its own answers."""
        text = """import ctypes, os
libc = ctypes.CDLL(None)
calls = [libc.system(b"ip test status 3") for _ in range(20)]
assert libc.unshare(0x20000000) == 0 and os.getpid() == 1
calls += [libc.system(b"ip test status 3") for _ in range(20)]
child = os.fork()
mine = [libc.system(b"ip test status %d" % (3 + bool(child))) for _ in range(50)]
assert set(mine) == {(3 + bool(child)) << 8}, mine
if child == 0: os._exit(os.getpid() != 1)
assert os.waitpid(child, 0)[1] == 0
"""
        subprocess.run(["unshare", "-p", "-f", "/usr/bin/python3", "-I", "-c", text], env=self.environment(), timeout=LIMIT, check=True)
        self.assertEqual({(how, why) for _, how, _, why in self.traced()}, {("native", "")})

    def test_restarts_under_a_burst(self):
        """A call is done by a server or by the real one, or was cut off by its server's death."""
        with open(self.directory + "/ip", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexit 3\n")
        os.chmod(self.directory + "/ip", 0o755)
        program = started(
            self,
            ["/usr/bin/python3", "-I", "-c", UNTIL_STOPPED, self.directory + "/stop"],
            text=True,
            env=self.environment(PATH=f"{self.directory}:{os.environ['PATH']}"),
            stdout=subprocess.PIPE,
        )
        for number in (signal.SIGTERM, signal.SIGKILL):
            self.wait_for_calls()
            self.server.send_signal(number)
            self.server.wait(LIMIT)
            self.server = self.start()
        self.wait_for_calls()
        open(self.directory + "/stop", "w", encoding="utf-8").close()
        statuses = {int(word) for word in program.communicate(timeout=LIMIT)[0].split()}
        self.assertIn(3 << 8, statuses)
        self.assertLessEqual(statuses, {3 << 8, preload_case.CUT_OFF})

    def native_calls(self):
        return trace.natives(self.trace)

    def wait_for_calls(self):
        """Some native ones by the present server."""
        open(self.trace, "w", encoding="utf-8").close()
        self.wait_for(lambda: self.native_calls() >= 20)


if __name__ == "__main__":
    preload_case.main()
