"""Changes by a user with CAP_NET_ADMIN, over a netlink socket with the mark that only such a caller can set (shim/wire/wire.h, NLSH_NETLINK)."""

import contextlib
import os
import socket
import subprocess
import tempfile
from pathlib import Path

from nlsh_test.processes import NOBODY as USER

from . import bench
from .passing import SETTING, SILENT, WEAKER, WithOpenServer, ask, changed, mtu, receive, route_socket
from .rights_changes import TOOLS

# Nobody, with CAP_NET_ADMIN as an ambient capability.
AMBIENT = (
    "call('prctl', 8, 1, 0, 0, 0); os.setgroups([]); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)\n"
    "header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(ADMIN, ADMIN, ADMIN)\n"
    "call('capset', header, data); call('prctl', 47, 2, 12, 0, 0); call('prctl', 4, 1, 0, 0, 0)"
)
NO_RIGHTS = "call('prctl', 47, 4, 0, 0, 0); capabilities(0, 0)"
LINE = "ip link set lo mtu 1300"
CAPABLE = (*USER, "--inh-caps=+net_admin", "--ambient-caps=+net_admin")


def marked() -> socket.socket:
    made = route_socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_DEBUG, 1)
    return made


def ask_marked(line: str = LINE, kind: int = bench.POPEN, streams: tuple[int, ...] = (SILENT, SILENT), **more):
    with marked() as own:
        return ask(line, own.fileno(), kind=kind, streams=streams, **more)


class Marks(WithOpenServer):
    def test_a_user_with_the_right_changes(self):
        for kind in bench.POPEN, bench.SYSTEM:
            bench.ip("link", "set", "lo", "mtu", "65536")
            self.assertEqual(changed(AMBIENT, lambda: ask_marked(kind=kind).type), str(bench.DONE))
            self.assertEqual(mtu(), 1300)

    def test_another_network_namespace(self):
        def there():
            own = marked()
            return [ask(LINE, own.fileno(), streams=(SILENT, SILENT)).type, ask("ip -o link show lo", own.fileno()).output]

        answer = changed(f"call('unshare', 0x40000000)\n{AMBIENT}", there)
        self.assertTrue(answer.startswith(f"[{bench.DONE}, "), answer)
        self.assertIn("mtu 1300", answer)
        self.assertEqual(mtu(), 65536)

    def test_without_the_mark(self):
        """Capabilities alone don't count: a user who has got the socket may have become a stronger program meanwhile."""
        for passed in None, route_socket().detach():
            self.assertDeclined(changed(AMBIENT, lambda: ask(LINE, passed, streams=(SILENT, SILENT))))
        self.assertEqual(mtu(), 65536)

    def test_who_lacks_the_right_cannot_mark(self):
        strong = route_socket()
        for name, change in WEAKER.items():
            for made in None, strong:

                def mark():
                    with contextlib.suppress(PermissionError):
                        (made or route_socket()).setsockopt(socket.SOL_SOCKET, socket.SO_DEBUG, 1)
                        return "marked"
                    return ask(LINE, strong.fileno(), streams=(SILENT, SILENT))

                with self.subTest(name, made=made):
                    self.assertDeclined(changed(change, mark))
        self.assertEqual(mtu(), 65536)

    def test_a_marked_socket_of_a_stronger_process(self):
        """As a child of a process that was about to ask may inherit it."""
        for name, change in WEAKER.items():
            with self.subTest(name), marked() as strong:
                self.assertDeclined(changed(change, lambda: ask(LINE, strong.fileno(), streams=(SILENT, SILENT))))
                self.assertEqual(strong.getsockopt(socket.SOL_SOCKET, socket.SO_DEBUG), 0)
        self.assertEqual(mtu(), 65536)

    def test_a_mark_counts_once(self):
        def twice():
            own, peer = marked(), bench.Peer()
            flags = bench.NETLINK | bench.KEEP | bench.STDERR | bench.WANT_TEXT
            first = ask("ip link set lo mtu 1500", own.fileno(), streams=(SILENT, SILENT), peer=peer, flags=flags)
            copy = ask(LINE, own.fileno(), streams=(SILENT, SILENT))
            peer.send(bench.request(LINE.encode(), bench.POPEN, flags=bench.STDERR | bench.WANT_TEXT), [SILENT, SILENT])
            kept = receive(peer)
            return [first.flags & bench.KEPT, first.type, copy.type, kept.type]

        self.assertEqual(changed(AMBIENT, twice), repr([bench.KEPT, bench.DONE, bench.DECLINED, bench.DECLINED]))
        self.assertEqual(mtu(), 1500)

    def test_a_show_saves_no_mark(self):
        def later():
            own, peer = marked(), bench.Peer()
            first = ask("ip -o link show lo", own.fileno(), peer=peer, flags=bench.NETLINK | bench.KEEP)
            peer.send(bench.request(LINE.encode(), bench.POPEN, flags=bench.STDERR | bench.WANT_TEXT), [SILENT, SILENT])
            return [first.type, receive(peer).type]

        self.assertEqual(changed(AMBIENT, later), repr([bench.DONE, bench.DECLINED]))
        self.assertEqual(mtu(), 65536)

    def test_rights_that_were_dropped_or_lie_elsewhere(self):
        for name, change in {"dropped": NO_RIGHTS, "a user namespace": "call('unshare', 0x10000000)"}.items():

            def weaker():
                own, names = marked(), {"Path": Path}
                exec(TOOLS, names)
                exec(change, names)
                return ask(LINE, own.fileno(), streams=(SILENT, SILENT))

            with self.subTest(name):
                self.assertDeclined(changed(AMBIENT, weaker))
        self.assertEqual(mtu(), 65536)

    def test_what_needs_more(self):
        for line in (f"echo 1 > {SETTING}", "ip tuntap add dev tap77 mode tap", "ip -n nosuch link set lo up", "ip link set lo netns 1"):
            self.assertDeclined(changed(AMBIENT, lambda: ask_marked(line)))

    def test_outputs_that_show_the_writer(self):
        """What couldn't be written after the change would be lost."""
        near, far = socket.socketpair()
        with tempfile.TemporaryFile() as file, contextlib.closing(near), contextlib.closing(far):
            for other in near.fileno(), file.fileno():
                for streams in (other, other), (SILENT, other), (other, SILENT):
                    for kind in bench.POPEN, bench.SYSTEM:
                        self.assertDeclined(changed(AMBIENT, lambda: ask_marked(kind=kind, streams=streams)))
        for kind in bench.POPEN, bench.SYSTEM:
            self.assertDeclined(changed(AMBIENT, lambda: ask_marked(kind=kind, streams=())))
        words = bench.exec_words("/sbin/ip", "ip", "link", "set", "lo", "mtu", "1300")
        for flags in bench.NETLINK, bench.NETLINK | bench.STREAMS:
            streams = (SILENT, SILENT) if flags & bench.STREAMS else ()
            self.assertDeclined(
                changed(AMBIENT, lambda: ask_marked(words, kind=bench.EXEC, streams=streams, flags=flags | bench.WANT_TEXT))
            )
        self.assertEqual(mtu(), 65536)


PROGRAM = f"""{bench.CALLS}
import ctypes, os, sys
for line in sys.argv[1:]:
    if line == "drop":
        libc = ctypes.CDLL(None)
        libc.prctl(47, 4, 0, 0, 0)
        libc.capset((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)())
    else:
        print(popen(line.encode()))
"""


class Programs(WithOpenServer):
    """Under the preload, beside the same program without it."""

    def both(self, *lines: str, prefix=CAPABLE) -> list[str]:
        """The ways of the calls."""
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            trace = f"{folder}/trace"
            patient = {"NLSH_TRACE": trace, "NLSH_TIMEOUT_MS": "20000"}
            results = [bench.python(PROGRAM, *lines, prefix=prefix, preload=preload, **patient) for preload in (True, False)]
            self.assertEqual(results[0], results[1])
            return [line.split("\t")[-1] for line in Path(trace).read_text().splitlines() if line.split("\t")[1] == "native"]

    def test_changes_and_their_errors(self):
        ways = self.both("ip link set lo mtu 1400", "ip -o link show lo", "ip link set nosuch up", "ip route del 10.77.0.0/24 && echo done")
        self.assertEqual(ways, ["own-socket"] * 4)
        self.assertEqual(mtu(), 1400)

    def test_a_change_and_a_show(self):
        self.assertEqual(self.both("ip link set lo mtu 1400; ip -o link show lo | cut -d' ' -f 2-5"), ["own-socket"])

    def test_rights_dropped_within_a_burst(self):
        self.assertEqual(self.both("ip link set lo mtu 1400", "drop", "ip link set lo mtu 1300", "ip -o link show lo")[:1], ["own-socket"])
        self.assertEqual(mtu(), 1400)

    def test_without_the_right(self):
        self.both("ip link set lo mtu 1300", prefix=USER)
        self.assertEqual(mtu(), 65536)

    def test_no_new_privileges(self):
        self.both("ip link set lo mtu 1400", prefix=(*CAPABLE, "--no-new-privs"))
        self.assertEqual(mtu(), 1400)

    def test_files_with_rights_of_their_own(self):
        """In place of /usr/bin/ip, in a mount namespace of the test's (safety/attack)."""
        for kind, rights in {
            "setuid": ["chmod", "u+s"],
            "net_raw": ["setcap", "cap_net_raw+ep"],
            "net_admin": ["setcap", "cap_net_admin+ep"],
        }.items():
            with self.subTest(kind), tempfile.TemporaryDirectory() as folder:
                copy = f"{folder}/ip"
                subprocess.run(["cp", "/usr/bin/ip", copy], check=True)
                subprocess.run([*rights, copy], check=True)
                subprocess.run(["mount", "--bind", copy, "/usr/bin/ip"], check=True)
                try:
                    for prefix in CAPABLE, USER:
                        self.both("ip link set lo mtu 1400", prefix=prefix)
                finally:
                    subprocess.run(["umount", "/usr/bin/ip"], check=True)


RELAYED = f"""{bench.CALLS}
import ctypes, sys
report, *lines = sys.argv[1:]
found = []
for line in lines:
    found += [ctypes.CDLL(None).system(line.encode()), popen(line.encode())]
open(report, "w").write(repr(found))
"""
CHANGES = (
    "ip link set nosuch up; ip link set lo mtu 1400",
    "ip route del 10.77.0.0/24",
    "bridge fdb add xx dev lo && ip link set lo up",
    "ip link set nosuch up || ip link set lo mtu 1401",
)
SHOWS = (
    "ip bogus",
    "ip link set lo mtu 1400; ip -o link show lo",
    "ip link set lo mtu 1400; ip link ls",
    "ip -echo link set lo mtu 1400",
    "ip link del nosuch || ip link show lo",
    "ip link set lo up | cat",
)


class Relays(WithOpenServer):
    """Outputs that the server doesn't write to for a user: the program does it, as its child would have done."""

    def written(self, folder: str, outputs, lines: tuple[str, ...], preload: bool) -> tuple[list[str], list[str]]:
        """What the program reports and what its outputs got, and the ways of the calls."""
        report, trace = Path(folder, "report"), Path(folder, "trace")
        patient = {"NLSH_TRACE": str(trace), "NLSH_TIMEOUT_MS": "20000"} if preload else {}
        preloaded = {"LD_PRELOAD": str(bench.PRELOAD), "NLSH_SOCKET": bench.SOCKET} if preload else {}
        with outputs(folder) as (out, error, collect):
            words = [*CAPABLE, "/usr/bin/python3", "-I", "-B", "-c", RELAYED, str(report), *lines]
            subprocess.run(
                words, stdin=subprocess.DEVNULL, stdout=out, stderr=error, timeout=60, check=True, env=os.environ | preloaded | patient
            )
            got = collect()
        traced = trace.read_text().splitlines() if preload else []
        return [report.read_text(), got], [line.split("\t")[-1] for line in traced]

    def both(self, outputs, lines: tuple[str, ...] = CHANGES) -> set[str]:
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            (ours, ways), (plain, _) = (self.written(folder, outputs, lines, preload) for preload in (True, False))
        self.assertEqual(ours, plain)
        self.assertEqual(len(ways), 2 * len(lines))
        return set(ways)

    def test_a_journal(self):
        """One stream socket for both, as systemd gives it."""

        @contextlib.contextmanager
        def journal(_):
            near, far = socket.socketpair()
            with far:
                yield near, near, lambda: (near.close(), far.makefile().read())[1]

        self.assertEqual(self.both(journal), {"own-socket"})
        self.assertNotIn("own-socket", self.both(journal, SHOWS))

    def test_only_the_first_socket_is_open_to_users(self):
        """As with SocketGroup= of systemd, which makes that one."""
        prefix, last = Path(bench.SOCKET), max(os.sched_getaffinity(0))
        own = prefix.with_name(f"{prefix.name}.{last}")
        if last == 0:
            self.skipTest("one processor")
        own.chmod(0o600)
        self.addCleanup(own.chmod, 0o660)
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {last})
        self.addCleanup(os.sched_setaffinity, 0, before)
        self.assertEqual(self.both(lambda _: contextlib.nullcontext((subprocess.DEVNULL, subprocess.DEVNULL, str))), {"own-socket"})

    def test_files(self):
        def opened(error_too: bool, mode: str):
            @contextlib.contextmanager
            def outputs(folder):
                path = Path(folder, "written")
                path.unlink(missing_ok=True)
                with path.open(mode) as error, path.open(mode) as out:
                    yield out if error_too else subprocess.DEVNULL, error, path.read_text

            return outputs

        self.assertEqual(self.both(opened(True, "ab")), {"own-socket"})
        self.assertEqual(self.both(opened(False, "wb")), {"own-socket"})
        # Of system. A popen has one output.
        self.assertEqual(len(self.both(opened(True, "wb"))), 2)

    def test_a_socket_that_is_full_or_broken(self):
        """Nothing blocks, and no signal ends the program."""
        for break_it in (lambda _: None, lambda far: far.close()):

            @contextlib.contextmanager
            def outputs(_, break_it=break_it):
                near, far = socket.socketpair()
                near.setblocking(False)
                with near, far, contextlib.suppress(BlockingIOError):
                    while True:
                        near.send(bytes(4096))
                with near, far:
                    break_it(far)
                    yield subprocess.DEVNULL, near, lambda: ""

            self.both(outputs, ("ip route del 10.77.0.0/24",))


class Servers(WithOpenServer):
    def marks(self, prefix: tuple[str, ...], users: tuple[str, ...]) -> list[str]:
        """A program of a user asks a server that doesn't answer: the mark of the socket that came, and its mark when the program has ended."""
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            listening = f"""
import array, os, socket, subprocess, sys
server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
server.bind("{folder}/s.0"); server.listen(); server.settimeout(50); os.chmod("{folder}/s.0", 0o777)
preloaded = os.environ | {{"LD_PRELOAD": "{bench.PRELOAD}", "NLSH_SOCKET": "{folder}/s", "NLSH_TIMEOUT_MS": "500"}}
child = subprocess.Popen(sys.argv[1:], env=preloaded)
peer = server.accept()[0]
_, control, _, _ = peer.recvmsg(65536, 256, socket.MSG_PEEK)
passed = socket.socket(fileno=array.array("i", control[0][2])[-1])
mark = passed.getsockopt(socket.SOL_SOCKET, socket.SO_DEBUG)
child.wait()
print(passed.family.name, mark, passed.getsockopt(socket.SOL_SOCKET, socket.SO_DEBUG))
"""
            program = [*users, "/usr/bin/python3", "-I", "-c", PROGRAM, "ip link set lo mtu 65536"]
            status, output, _ = bench.python(listening, *program, prefix=("taskset", "-c", "0", *prefix))
        self.assertEqual(status, 0)
        return output.splitlines()

    def test_a_server_of_the_same_user_gets_no_mark(self):
        """It could pass the socket on."""
        self.assertIn("AF_NETLINK 0 0", self.marks(CAPABLE, ()))

    def test_a_server_that_does_not_answer_keeps_no_mark(self):
        """A child of the program could have a copy of the socket."""
        self.assertIn("AF_NETLINK 1 0", self.marks((), CAPABLE))
