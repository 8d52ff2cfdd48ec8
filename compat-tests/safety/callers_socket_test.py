"""Lines over the netlink socket that the caller passes: attacks on the server's checks by raw requests, without the preload."""

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
from .passing import NAMESPACES, NOBODY, SETTING, SILENT, WEAKER, Answer, WithOpenServer, ask, changed, mtu, receive, route_socket
from .rights_changes import CHANGES, TOOLS


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
                exec(TOOLS, names)
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
        """A caller that the server can't inspect: it has a filter, which allows everything."""
        for root, kind in (bench.root_number(), bench.DONE), (bench.root_number() ^ 1, bench.DECLINED), (0, bench.DECLINED):
            answer = changed(CHANGES["a system call filter"], lambda: ask("ip -o link show lo", root=root))
            self.assertTrue(answer.startswith(str(kind)), answer)

    def test_what_needs_more_than_the_socket(self):
        """Declined, because the kernel would check only the server's rights, or look a name up for the server."""
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
        """A caller that lacks a capability of the server: a write to the file would check the server's rights."""
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
        """Options belong to the socket, so the caller's options hold for the server, too."""

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
        self.assertNotEqual((answer.type, answer.status), (bench.DONE, 0), answer)  # never a success without the kernel's answer
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


class Ways(WithOpenServer):
    """The trace distinguishes the server's two ways."""

    def ways(self, *prefix: str) -> set[str]:
        reader = bench.Reader(*prefix)
        lines = ["ip -o link show lo", "ip link set lo up", "ip -d addr show lo", "sh -c 'ip link show lo'"]
        outputs = [reader.popen(line) for line in lines]
        self.assertEqual({status for _, status in outputs}, {0})
        self.assertGreater(len(outputs[2][0]), 4096)  # the server writes long output itself
        caller = bench.Caller(*prefix)
        self.assertEqual(caller.system("ip link set lo up")[0], 0)
        execs = bench.Program("import os\nos.execv('/sbin/ip', ['ip', 'link', 'set', 'lo', 'up'])", prefix=prefix)
        programs = [reader, caller, execs]
        for program in programs:
            program.finish()
        calls = [line.split("\t") for program in programs for line in program.trace.read_text().splitlines()]
        self.assertEqual([call[1] for call in calls], ["native"] * 6, calls)
        return {call[-1] for call in calls}

    def test_the_servers_sockets_or_the_callers(self):
        for number in range(60):
            bench.ip("addr", "add", f"127.77.1.{number + 1}/32", "dev", "lo")
        self.addCleanup(bench.ip, "addr", "flush", "dev", "lo", "to", "127.77.1.0/24")
        self.assertEqual(self.ways(), {"server"})
        filtered = f"{TOOLS}\n{CHANGES['a system call filter']}\nimport sys\nos.execv(sys.argv[1], sys.argv[1:])"
        self.assertEqual(self.ways("/usr/bin/python3", "-I", "-c", filtered), {"own-socket"})


class Modules(unittest.TestCase):
    def test_a_user_loads_none(self):
        """SIOCGIFINDEX of a missing name makes the kernel load a module of that name, with the caller's rights."""
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
            self.assertIn("SIOCGIFINDEX", log.read_text())  # root's own ip makes this call
        finally:
            os.kill(int(bench.child_of(server.process.pid, "nlsh")), 15)
            server.process.wait(30)


class Elsewhere(unittest.TestCase):
    def test_a_pid_namespace_that_is_not_below_the_servers(self):
        """The kernel reports the peer's pid as 0. A look-up of pid 0 would find the server itself."""
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
