"""Callers that aren't root, over their own netlink sockets: where their output may go, and how many workers they get."""

import os
import socket
import struct
import subprocess
import tempfile

from nlsh_test.processes import NOBODY, started

from . import bench
from .passing import WEAKER, WithOpenServer, ask, changed, receive, route_socket


class OutputsOfStrangers(WithOpenServer):
    """The reader of a unix socket would see root as the writer, so the server doesn't write there."""

    def as_nobody(self, action):
        return changed(WEAKER["nobody"], action)

    def test_a_socket_gets_nothing(self):
        near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        far.setblocking(False)
        for kind in bench.SYSTEM, bench.POPEN:
            self.assertDeclined(self.as_nobody(lambda: ask("ip -o link show lo", kind=kind, streams=(near.fileno(), near.fileno()))))
        with tempfile.TemporaryFile() as file:
            self.assertDeclined(
                self.as_nobody(lambda: ask("ip -o link show lo", kind=bench.SYSTEM, streams=(file.fileno(), file.fileno())))
            )
        self.assertDeclined(self.as_nobody(lambda: ask("ip -o link show lo", kind=bench.SYSTEM)))  # descriptors could come later

        def late():
            with bench.Peer() as peer:
                answer = ask("ip -d link show lo; ip -d link show lo; ip link show nosuch", kind=bench.POPEN, peer=peer)
                if answer.type == bench.STREAM:
                    peer.send(struct.pack("=IHBB", bench.MAGIC, bench.VERSION, 0, 0), [near.fileno(), near.fileno()])
                    answer = receive(peer)
                return answer

        self.as_nobody(late)
        with self.assertRaises(BlockingIOError):
            far.recv(100)

    def test_a_pipe_gets_all(self):
        reading, writing = os.pipe()
        answer = self.as_nobody(lambda: ask("ip -o link show lo", kind=bench.SYSTEM, streams=(writing, writing)))
        os.close(writing)
        self.assertTrue(answer.startswith(str(bench.DONE)), answer)
        with os.fdopen(reading) as output:
            self.assertEqual(output.read(), bench.ip("-o", "link", "show", "lo"))

    def test_a_long_output_instead_of_an_exec(self):
        for number in range(60):
            bench.ip("addr", "add", f"127.77.0.{number + 1}/32", "dev", "lo")
        self.addCleanup(lambda: [bench.ip("addr", "del", f"127.77.0.{number + 1}/32", "dev", "lo") for number in range(60)])
        words = bench.exec_words("/sbin/ip", "ip", "-d", "addr", "show")
        near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        far.setblocking(False)

        def late():
            with bench.Peer() as peer:
                answer = ask(words, kind=bench.EXEC, peer=peer)
                if answer.type != bench.STREAM:
                    return answer
                peer.send(struct.pack("=IHBB", bench.MAGIC, bench.VERSION, 0, 0), [near.fileno(), near.fileno()])
                return receive(peer)

        self.assertDeclined(self.as_nobody(late))
        with self.assertRaises(BlockingIOError):
            far.recv(100)

    def test_programs_elsewhere_are_not_looked_at(self):
        for path in b"PATH=/tmp:/sbin:/bin\0", b"PATH=/proc/self/root/sbin:/sbin\0":
            own = route_socket()

            def asks():
                with bench.Peer() as peer:
                    peer.send(
                        bench.request(b"ip -o link show lo", bench.POPEN, path, flags=bench.NETLINK | bench.WANT_TEXT), [own.fileno()]
                    )
                    return receive(peer)

            self.assertDeclined(self.as_nobody(asks))
        self.assertDeclined(self.as_nobody(lambda: ask("/tmp/ip -o link show lo")))


class Shares(WithOpenServer):
    options = ("--threads", "16")

    def test_many_connections_of_a_user(self):
        words = [*NOBODY, "/usr/bin/python3", "-I", "-c", bench.CONNECTIONS, "600"]
        hoard = started(self, words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        hoard.stdout.readline()
        for number in range(20):
            self.assertEqual(ask(f"ip link set lo mtu {3000 + number}").type, bench.DONE)
