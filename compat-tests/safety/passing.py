"""Raw requests without the preload, for tests of lines over the netlink socket that the caller passes (shim/wire/wire.h, NLSH_NETLINK)."""

import os
import socket
import struct
import unittest
from pathlib import Path

from in_child import in_child

from . import bench
from .rights_changes import TOOLS

NOBODY = 65534
ROUTE = 0
SILENT = os.open("/dev/null", os.O_WRONLY)
SETTING = "/proc/sys/net/ipv4/conf/lo/arp_filter"


def route_socket() -> socket.socket:
    return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, ROUTE)


class Answer:
    def __init__(self, frame: bytes):
        _, _, self.type, self.flags, self.status, output, text = struct.unpack_from("=IHBBiHH", frame)
        self.output, self.text = frame[16 : 16 + output].decode(), frame[16 + output : 16 + output + text].decode()

    def __repr__(self):
        return f"{self.type} {self.flags} {self.status} {self.output!r} {self.text!r}"


def receive(peer: bench.Peer) -> Answer:
    return Answer(peer.socket.recv(65536))


def ask(line: str, passed=None, kind: int = bench.POPEN, streams: tuple[int, ...] = (), peer: bench.Peer | None = None, **lies) -> Answer:
    """Sends the line over the given connection or a new one, with the given descriptor or a new netlink socket."""
    own = route_socket() if passed is None else None
    flags = bench.WANT_TEXT | bench.NETLINK | (bench.STREAMS if streams and kind == bench.SYSTEM else bench.STDERR if streams else 0)
    connection = peer or bench.Peer()
    try:
        text = line if isinstance(line, bytes) else line.encode()
        connection.send(bench.request(text, kind, **{"flags": flags} | lies), [*streams, passed if own is None else own.fileno()])
        return receive(connection)
    finally:
        if peer is None:
            connection.socket.close()
        if own:
            own.close()


def changed(change: str, action):
    """The result of action() in a child that has changed its rights, as text."""

    def changed_first():
        names = {"Path": Path}
        exec(TOOLS, names)
        exec(change, names)
        return action()

    return in_child(changed_first)


def mtu(device: str = "lo") -> int:
    return int(bench.ip("-o", "link", "show", device).split(" mtu ")[1].split()[0])


class WithOpenServer(unittest.TestCase):
    """A server whose sockets any user may connect to."""

    options: tuple[str, ...] = ()

    @classmethod
    def setUpClass(cls):
        cls.server = bench.Server()
        cls.server.start("--mode", "0660", "--group", str(NOBODY), *cls.options)

    @classmethod
    def tearDownClass(cls):
        cls.server.end()

    def setUp(self):
        bench.ip("link", "set", "lo", "mtu", "65536")

    def assertDeclined(self, answer):
        text = answer if isinstance(answer, str) else repr(answer)
        self.assertTrue(text.strip("'").startswith(str(bench.DECLINED)), text)


NAMESPACES = {
    "a user namespace": "call('unshare', 0x10000000)",
    "its root": "call('unshare', 0x10000000); Path('/proc/self/setgroups').write_text('deny'); Path('/proc/self/uid_map').write_text('0 0 1')",
    "one with all ids": "call('unshare', 0x10000000); Path('/proc/self/uid_map').write_text('0 0 1')",
}
WEAKER = NAMESPACES | {
    "nobody": "os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)",
    "nobody, root of a user namespace": "os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534); "
    "call('prctl', 4, 1, 0, 0, 0); call('unshare', 0x10000000)",
    "root without CAP_NET_ADMIN": "capabilities(ALL & ~ADMIN, ALL & ~ADMIN)",
    "CAP_NET_ADMIN not effective": "capabilities(effective=ALL & ~ADMIN)",
    "no capabilities": "call('prctl', 38, 1, 0, 0, 0); capabilities(0, 0)",
}
