"""Lines over the netlink socket that their caller passes (shim/wire/wire.h, NLSH_NETLINK): each attack on the server's checks, past the
preload; and what a server that was taken over gets of a client."""

import array
import ctypes
import os
import socket
import struct
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

from in_child import in_child

from . import bench
from .authority_test import _TOOLS, CHANGES

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
    """By a connection of its own, or that one, with a netlink socket of its own unless another descriptor is given."""
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
    """What action() gives in a child that has changed its rights, as text."""

    def changed_first():
        names = {"Path": Path}
        exec(_TOOLS, names)
        exec(change, names)
        return action()

    return in_child(changed_first)


def mtu(device: str = "lo") -> int:
    return int(bench.ip("-o", "link", "show", device).split(" mtu ")[1].split()[0])


class WithOpenServer(unittest.TestCase):
    """Whose sockets any user may connect to."""

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


class Rights(WithOpenServer):
    def test_its_own_opener_changes(self):
        answer = ask("ip link set lo mtu 1400 && ip -o link show lo")
        self.assertEqual((answer.type, answer.status), (bench.DONE, 0), answer)
        self.assertIn("mtu 1400", answer.output)
        self.assertEqual(mtu(), 1400)

    def test_an_inherited_socket_of_a_stronger_process(self):
        strong = route_socket()
        for name, change in WEAKER.items():
            with self.subTest(name):
                self.assertDeclined(changed(change, lambda: ask("ip link set lo mtu 1300", strong.fileno())))
                self.assertEqual(mtu(), 65536)

    def test_its_own_socket_of_a_weaker_process(self):
        for name, change in WEAKER.items():
            with self.subTest(name):
                self.assertDeclined(changed(change, lambda: ask("ip link set lo mtu 1300")))
                self.assertEqual(mtu(), 65536)

    def test_weaker_after_connecting_and_over_a_kept_connection(self):
        strong = route_socket()
        for name, change in NAMESPACES.items():

            def kept():
                names = {"Path": Path}
                exec(_TOOLS, names)
                peer = bench.Peer()
                first = ask("ip link set lo mtu 65536", strong.fileno(), peer=peer, flags=bench.NETLINK | bench.KEEP)
                if first.type != bench.DONE:
                    return first
                exec(change, names)
                peer.send(bench.request(b"ip link set lo mtu 1300", flags=bench.WANT_TEXT))
                return receive(peer) if first.flags & bench.KEPT else Answer(struct.pack("=IHBBiHH", 0, 0, bench.DECLINED, 0, 0, 0, 0))

            with self.subTest(name):
                self.assertDeclined(in_child(kept))
                self.assertEqual(mtu(), 65536)

    def test_shows_of_a_user(self):
        change = WEAKER["nobody"]
        wanted = bench.ip("-o", "link", "show", "lo")
        self.assertIn(repr(wanted), changed(change, lambda: ask("ip -o link show lo")))
        refused = changed(change, lambda: ask("ip link set lo mtu 1300"))
        self.assertDeclined(refused)
        self.assertEqual(int(refused.split()[1]) & bench.NOT_THIS_CALLER, bench.NOT_THIS_CALLER, refused)

    def test_another_ones_connection(self):
        with bench.Peer() as peer:
            self.assertDeclined(in_child(lambda: ask("ip link set lo mtu 1300", peer=peer)))
        self.assertEqual(mtu(), 65536)

    def test_another_root(self):
        """Of who can't be attested: under a filter that allows all."""
        for root, kind in (bench.root_number(), bench.DONE), (bench.root_number() ^ 1, bench.DECLINED), (0, bench.DECLINED):
            answer = changed(CHANGES["a system call filter"], lambda: ask("ip -o link show lo", root=root))
            self.assertTrue(answer.startswith(str(kind)), answer)

    def test_what_needs_more_than_the_socket(self):
        """The kernel would check the server alone, or look a name up for the server."""
        bench.ip("link", "add", "br77", "type", "bridge")
        self.addCleanup(bench.ip, "link", "del", "br77")
        for line in (
            "brctl addif br77 lo",
            "ip maddr add 33:33:00:00:00:77 dev lo",
            "ip tuntap add dev tap77 mode tap",
            "ip tunnel show",
            "ip link set br77 netns nosuch",
            "ip -n nosuch link show",
            "sysctl -w net.ipv4.conf.lo.arp_filter=1",
        ):
            for change in WEAKER["nobody"], NAMESPACES["a user namespace"], WEAKER["root without CAP_NET_ADMIN"]:
                with self.subTest(line, change=change):
                    self.assertDeclined(changed(change, lambda: ask(line)))
        self.assertNotIn("33:33:00:00:00:77", bench.ip("maddr", "show", "dev", "lo"))

    def test_files_of_proc_sys(self):
        """Of who lacks a capability of the server's: the file's own look at rights would be at the server's."""
        line = f"echo 1 > {SETTING}"
        for name in "root without CAP_NET_ADMIN", "nobody", "a user namespace":
            self.assertDeclined(changed(WEAKER[name], lambda: ask(line)))
        self.assertDeclined(
            changed("capabilities(ALL & ~(1 << 21), ALL & ~(1 << 21))", lambda: ask("echo 1 > /proc/sys/kernel/dmesg_restrict"))
        )


class Sockets(WithOpenServer):
    def test_other_kinds(self):
        makers = {
            "generic netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16),
            "audit": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 9),
            "udp": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
            "unix": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM),
            "file": lambda: open("/dev/null", "rb"),
        }
        for name, make in makers.items():
            with self.subTest(name), make() as other:
                self.assertDeclined(ask("ip link set lo mtu 1300", other.fileno()))
        with self.subTest("none"), bench.Peer() as peer:
            peer.send(bench.request(b"ip link set lo mtu 1300", flags=bench.NETLINK | bench.WANT_TEXT))
            self.assertDeclined(receive(peer))
        self.assertEqual(mtu(), 65536)

    def test_another_network_namespace(self):
        def there():
            ctypes.CDLL(None).unshare(0x40000000)
            own = route_socket()
            answers = [ask("ip link set lo mtu 1234", own.fileno()), ask("ip -o link show")]
            return [(answer.type, answer.output.count("\n"), "mtu 1234" in answer.output) for answer in answers]

        self.assertEqual(in_child(there), repr([(bench.DONE, 0, False), (bench.DONE, 1, True)]))
        self.assertEqual(mtu(), 65536)

    def test_options_of_a_hostile_owner(self):
        """They are the open socket's: the server meets them."""

        def hostile(prepare) -> tuple[int, float]:
            with route_socket() as own:
                prepare(own)
                start = time.monotonic()
                answer = ask("ip link set lo mtu 1400 && ip link show lo", own.fileno())
                return answer.type, time.monotonic() - start

        def tiny(own):
            for size in (socket.SO_RCVBUF, socket.SO_SNDBUF):
                own.setsockopt(socket.SOL_SOCKET, size, 1)

        kinds = {
            "does not block": lambda own: own.setblocking(False),
            "a time limit": lambda own: own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 0, 1)),
            "tiny buffers": tiny,
            "all groups": lambda own: own.bind((0, 0xFFFFFFFF)),
            "capped answers": lambda own: own.setsockopt(270, 10, 1),
            "no overruns told": lambda own: own.setsockopt(270, 5, 1),
            "an answer in the queue": lambda own: own.send(struct.pack("=IHHIIBxHiII", 32, 18, 0x301, 1, 0, 0, 0, 0, 0, 0)),
        }
        for name, prepare in kinds.items():
            with self.subTest(name):
                kind, seconds = hostile(prepare)
                self.assertEqual(kind, bench.DONE)
                self.assertLess(seconds, 5)

    def test_a_filter_that_drops_the_answers(self):
        with route_socket() as own:
            code = struct.pack("=HBBI", 6, 0, 0, 0)  # return 0
            program = ctypes.create_string_buffer(code)
            own.setsockopt(socket.SOL_SOCKET, 26, struct.pack("HxxxxxxP", 1, ctypes.addressof(program)))
            answer = ask("ip link set lo mtu 1400", own.fileno(), kind=bench.SYSTEM, streams=(SILENT, SILENT))
        self.assertNotEqual((answer.type, answer.status), (bench.DONE, 0), answer)  # never a success that nobody has seen
        self.assertEqual(mtu(), 1400)
        self.assertEqual(ask("ip link set lo mtu 65536").status, 0)

    def test_an_owner_that_reads_too(self):
        own, stop = route_socket(), threading.Event()
        own.settimeout(0.01)

        def steal():
            while not stop.is_set():
                try:
                    own.recv(65536)
                except OSError:
                    pass

        thief = threading.Thread(target=steal)
        thief.start()
        try:
            for number in range(100):
                answer = ask(f"ip link set lo mtu {2000 + number}", own.fileno(), kind=bench.SYSTEM, streams=(SILENT, SILENT))
                self.assertIn(answer.type, (bench.DONE, bench.DECLINED))
                if (answer.type, answer.status) == (bench.DONE, 0):
                    self.assertEqual(mtu(), 2000 + number)
        finally:
            stop.set()
            thief.join()
            own.close()
        self.assertEqual(ask("ip link set lo mtu 65536").status, 0)


class OutputsOfStrangers(WithOpenServer):
    """A reader of a unix socket sees who has written: root."""

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
        self.assertDeclined(self.as_nobody(lambda: ask("ip -o link show lo", kind=bench.SYSTEM)))  # they may come later

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


class Modules(unittest.TestCase):
    def test_a_user_loads_none(self):
        """SIOCGIFINDEX of a name that isn't there makes the kernel look for a module of that name, by the rights of who asks."""
        if subprocess.run(["which", "strace"], capture_output=True, check=False).returncode:
            self.skipTest("needs strace")
        log = Path(tempfile.mkdtemp()) / "log"
        server = bench.Server()
        server.start("--mode", "0660", "--group", str(NOBODY), prefix=("strace", "-f", "-qq", "-e", "trace=ioctl", "-o", str(log)))
        try:
            line = "ip link show dev nosuch; ip addr show dev nosuch; ip route show dev nosuch"
            changed(WEAKER["nobody"], lambda: ask(line))
            self.assertNotIn("SIOCGIFINDEX", log.read_text())
            ask(line)
            self.assertIn("SIOCGIFINDEX", log.read_text())  # root's own ip asks so
        finally:
            os.kill(int(bench.child_of(server.process.pid, "nlsh")), 15)
            server.process.wait(30)


class Elsewhere(unittest.TestCase):
    def test_a_pid_namespace_that_is_not_below_the_servers(self):
        """The kernel reports its process as 0. A look-up by that number would find the server itself."""
        server = bench.Server()
        server.start(prefix=("unshare", "--pid", "--fork", "--kill-child"))
        try:
            self.assertIn(str(bench.DECLINED), repr(ask("ip link set lo mtu 1300")))
            self.assertNotEqual(mtu(), 1300)
        finally:
            inside = bench.child_of(server.process.pid, "nlsh")
            server.process.kill()
            server.process.wait(30)
            bench.wait_for(lambda: not os.path.exists(f"/proc/{inside}"))


class Shares(WithOpenServer):
    options = ("--threads", "16")

    def test_many_connections_of_a_user(self):
        hoard = subprocess.Popen(
            [
                "setpriv",
                "--reuid",
                str(NOBODY),
                "--regid",
                str(NOBODY),
                "--clear-groups",
                "/usr/bin/python3",
                "-I",
                "-c",
                f"""
import socket, sys
held = []
for number in range(600):
    peer = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    peer.connect({bench.SOCKET!r} + "." + str(number % {os.cpu_count()}))
    held.append(peer)
print("full", flush=True)
sys.stdin.read()
""",
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.addCleanup(lambda: (hoard.stdin.close(), hoard.stdout.close(), hoard.wait(30)))
        hoard.stdout.readline()
        for number in range(20):
            self.assertEqual(ask(f"ip link set lo mtu {3000 + number}").type, bench.DONE)


class FakeServer:
    """Taken over: it asks the client to open what it likes."""

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
        # A client that fails this test opens what it is told: a file of the test's own private /run.
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
        """It declines, and the line runs the real way; so does an older client's."""
        server = bench.Server()
        server.start()
        try:
            with bench.Peer() as peer:
                old = struct.pack("=IHBBII", bench.MAGIC, 1, bench.SYSTEM, 1, 5, 0) + b"ip li"
                peer.send(old)
                self.assertEqual(peer.reply(), bench.DECLINED)
        finally:
            server.end()


if __name__ == "__main__":
    unittest.main()
