"""A process that changes its own rights gets what its own exec'd ip would get.

The server declines a process whose exec would have other rights, even if it served that process before. It notices effective uid and
capabilities at once, and what only /proc shows within MEMORY."""

import os
import signal
import subprocess
from pathlib import Path

from nlsh_test.server import Server, last_socket

from . import bench
from .rights_changes import CHANGES, RUN_LINES, TOOLS

# After the changes in SERVED, the server may still serve the process; the preload declines securebits, which /proc doesn't show.
AT_ONCE = {
    "effective capabilities dropped, exec regains them",
    "CAP_NET_ADMIN ineffective, exec regains it",
    "CAP_NET_ADMIN dropped for good",
    "no capability under no_new_privs",
    "effective uid nobody, which dash resets",
    "nobody, CAP_NET_ADMIN effective but not ambient",
    "nobody",
}
MEMORY = 0.15  # seconds; the server caches for 0.1
SERVED = {
    "nothing",
    "no_new_privs",
    "a mount namespace with the same mounts",
    "a mount namespace with the root of another",
    "a UTS namespace",
    "an IPC namespace",
    "no capabilities for root (securebits)",
}
LINES = (
    "ip link set lo mtu 65000 && ip link show lo",
    "ip addr add 127.9.9.9/8 dev lo && ip addr del 127.9.9.9/8 dev lo",
    "ip link set lo mtu 65536",
    "sysctl -n net.ipv4.ip_forward",
    "sysctl -n kernel.hostname",
    "sysctl -n kernel.shmmni",
    "echo 1 > /proc/sys/net/ipv4/conf/lo/arp_filter",
)
# Single commands, by a fork's child that execs ip, and by posix_spawn.
NETNS = "nlshauthority"
COMMANDS = (
    *(
        line.split()
        for line in (
            "ip link set lo mtu 65000",
            "ip -o link show lo",
            "/sbin/ip link set lo mtu 65536",
            "ip link set nosuch up",
            f"ip netns exec {NETNS} cat /sys/class/net/lo/ifindex",
        )
    ),
    ["sh", "-c", "ip link set lo mtu 65000 && ip link show lo"],
    ["/bin/bash", "-c", "ip link set lo mtu 65536 || echo no"],
    ["bash", "-c", "ip link show lo | head -n 1"],
)
_EXECS = """
def run(commands):
    for words in commands:
        line = " ".join(words)
        child = os.fork()
        if child == 0:
            try: os.execvp(words[0], words)
            except OSError as error: os._exit(error.errno)
        print(line, os.waitpid(child, 0)[1], flush=True)
        try: print(line, os.waitpid(os.posix_spawnp(words[0], words, os.environ), 0)[1], flush=True)
        except OSError as error: print(line, error, flush=True)
        os.write(2, line.encode() + b"\\n")
"""
_RAW = f"""
import sys
sys.path.insert(0, {str(bench.ROOT / "compat-tests")!r})
from safety import bench
def ask(line=b"ip link set lo up", kind=bench.SYSTEM):
    with bench.Peer() as peer:
        peer.send(bench.request(line, kind))
        return peer.reply()
def exec_ip():
    return ask(bench.exec_words("/sbin/ip", "ip", "link", "set", "lo", "up"), bench.EXEC)
"""

# The same over one connection: the first answer, and the answer after the server's cache entry has expired.
_KEPT = f"""
import time
def kept():
    while True:
        peer = bench.Peer()
        peer.send(bench.request(b"ip link set lo up", flags=2))
        frame = peer.socket.recv(8192)
        assert frame[6] == bench.DONE, frame
        if frame[7] & 1:
            return peer
def asked_until_forgotten(peer):
    answers, end = [], time.monotonic() + {MEMORY}
    while True:
        late = time.monotonic() > end
        peer.send(bench.request(b"ip link set lo up", flags=2))
        answers.append(peer.reply())
        if late or answers[-1] != bench.DONE:
            return answers[0], answers[-1]
        time.sleep(0.02)
"""


class Authority(bench.WithServer):
    """The server inspects by pidfd, if the kernel can."""

    options = ()

    @classmethod
    def setUpClass(cls):
        cls.server = bench.Server()
        cls.server.start(*cls.options)
        subprocess.run("chmod 0666 /run/nlsh/nlsh.sock.*; chmod 0755 /run/nlsh", shell=True, check=True)  # let other users connect

    def test_each_gets_what_its_exec_would(self):
        for name, change in CHANGES.items():
            with self.subTest(name):
                text = f"{TOOLS}{RUN_LINES}\nrun({LINES})\n{change}\nimport time\ntime.sleep({MEMORY})\nrun({LINES})\n"
                bench.python(text)
                self.assertEqual(bench.python(text, preload=True), bench.python(text))

    def test_each_execs_with_its_own_rights(self):
        bench.ip("netns", "add", NETNS)
        # Also remove the mount that ip made: another mount namespace would have it as a different mount.
        self.addCleanup(subprocess.run, f"ip netns del {NETNS} && umount /run/netns", shell=True, check=True)
        for name, change in CHANGES.items():
            with self.subTest(name):
                text = f"{TOOLS}{_EXECS}\nrun({COMMANDS})\n{change}\nrun({COMMANDS})\n"
                bench.python(text)
                self.assertEqual(bench.python(text, preload=True), bench.python(text))

    def test_rights_dropped_between_two_calls(self):
        """Bypasses the preload's own checks."""
        for name, change in CHANGES.items():
            with self.subTest(name):
                text = f"{TOOLS}{_RAW}\nimport time\nfirst = ask()\n{change}\nat_once = ask()\ntime.sleep({MEMORY})\nprint(first, at_once, ask())\n"
                status, out, error = bench.python(text)
                self.assertEqual(status, 0, error)
                first, at_once, later = out.split()
                self.assertEqual(first, str(bench.DONE))
                self.assertEqual(later, str(bench.DONE if name in SERVED else bench.DECLINED))
                if name in AT_ONCE:
                    self.assertEqual(at_once, str(bench.DECLINED))

    def test_rights_dropped_before_an_exec(self):
        """Before an exec of ip, the server inspects the process again and ignores its cache."""
        for name, change in CHANGES.items():
            with self.subTest(name):
                status, out, error = bench.python(f"{TOOLS}{_RAW}\nfirst = ask()\n{change}\nprint(first, exec_ip())\n")
                self.assertEqual(status, 0, error)
                first, second = out.split()
                self.assertEqual(first, str(bench.DONE))
                self.assertEqual(second, str(bench.DONE if name in SERVED else bench.DECLINED))

    def test_rights_dropped_between_two_requests_of_a_connection(self):
        """A kept connection stores no rights: the server checks the sender of each request. None: the server had closed the connection."""
        for name, change in CHANGES.items():
            with self.subTest(name):
                status, out, error = bench.python(f"{TOOLS}{_RAW}{_KEPT}\npeer = kept()\n{change}\nprint(*asked_until_forgotten(peer))\n")
                self.assertEqual(status, 0, error)
                at_once, later = out.split()
                if name not in SERVED:
                    self.assertIn(later, (str(bench.DECLINED), "None"))
                if name in AT_ONCE:
                    self.assertIn(at_once, (str(bench.DECLINED), "None"))

    def test_a_reused_pid_inherits_nothing(self):
        """The server serves the first process; then a process in another mount namespace gets the same pid."""
        text = f"""{TOOLS}{_RAW}
import time
for attempt in range(200):
    reading, writing = os.pipe()
    first = os.fork()
    if first == 0:
        os._exit(ask() != bench.DONE)
    assert os.waitpid(first, 0)[1] == 0
    open("/proc/sys/kernel/ns_last_pid", "w").write(str(first - 1))
    second = os.fork()
    if second == 0:
        if os.getpid() == first:
            call("unshare", 0x20000)
            call("mount", b"none", b"/", None, 0x44000, None)  # MS_REC | MS_PRIVATE
            call("mount", b"x", b"/mnt", b"tmpfs", 0, None)
            os._exit(10 + ask())
        os._exit(0)
    status = os.waitpid(second, 0)[1] >> 8
    os.close(reading), os.close(writing)
    if status:
        print(status - 10)
        break
"""
        status, out, error = bench.python(text)
        self.assertEqual((status, out.strip()), (0, str(bench.DECLINED)), error)

    def test_a_peer_of_an_outer_pid_namespace(self):
        """The server has no pid for this peer, so it declines the peer."""
        socket = f"/run/nlsh/inner-{type(self).__name__}.sock"
        server = Server(socket, around=("unshare", "-p", "-f", "--kill-child")).start()
        try:
            with bench.Peer(path=f"{socket}.0") as peer:
                peer.send(bench.request(b"ip link add name evil type bridge"))
                self.assertEqual(peer.reply(), bench.DECLINED)
        finally:
            server.end(signal.SIGKILL)
        self.assertNotIn("evil", bench.ip("link"))

    def test_other_files_are_other_ips(self):
        """Names in a line mean the caller's files: the ip in its PATH, its ./ip, its /etc/iproute2."""
        text = f"""{TOOLS}{RUN_LINES}
import tempfile
directory = tempfile.mkdtemp(dir="/run")
os.chdir(directory)
open("ip", "w").write("#!/bin/sh\\necho mine $*\\n")
os.chmod("ip", 0o700)
run(["./ip link", "PATH=.:$PATH ip link", "ip netns exec nosuch ip link", "ip -n nosuch link", "ip -batch nosuch", "ip link > ip.out; cat ip.out"])
os.environ["PATH"] = directory + ":" + os.environ["PATH"]
run(["ip link show lo"])
"""
        normal, native = (bench.python(text, preload=preload) for preload in (False, True))
        self.assertEqual(native, normal)
        self.assertIn("mine link show lo", native[1])


class AuthorityByProc(Authority):
    """The server inspects by /proc, as on a kernel before 6.11, with the same verdicts."""

    options = ("--proc",)


class Hardening(bench.WithServer):
    """The rights that the running server has left."""

    def test_each_thread_is_confined(self):
        kept = 1 << 12 | 1 << 21 | 1 << 16 | 1 << 19 | 1 << 23 | 1 << 1 | 1 << 2
        had = int(bench.status_of("self")["CapEff"], 16)
        bench.wait_for(lambda: bench.status_of(str(self.server.process.pid))["Seccomp"] == "2")  # the server has just started
        server, processes = (
            self.server.process.pid,
            [f"{self.server.process.pid}/task/{thread}" for thread in os.listdir(f"/proc/{self.server.process.pid}/task")],
        )
        if "--no-seccomp" not in bench.OPTIONS:
            bench.wait_for(
                lambda: bench.child_of(server, "nlsh-heir") and bench.status_of(bench.child_of(server, "nlsh-heir"))["Seccomp"] == "2"
            )
            processes.append(bench.child_of(server, "nlsh-heir"))
        for process in processes:
            status = bench.status_of(process)
            for name in ("CapEff", "CapPrm", "CapBnd"):
                self.assertEqual(int(status[name], 16), kept & had, name)
            self.assertEqual([int(status[name], 16) for name in ("CapInh", "CapAmb")], [0, 0])
            self.assertEqual((status["NoNewPrivs"], status["Seccomp"]), ("1", "2"))

    def test_the_helper_of_verify(self):
        """The helper has all capabilities of the server's starter, and no filter (SECURITY.md). It obeys only the server, and ends with it."""
        server = Server("/run/nlsh/verify.sock", "--verify", "1").start()
        pid = server.process.pid
        self.addCleanup(server.process.kill)
        bench.wait_for(lambda: bench.child_of(pid, "nlsh-verify"))
        helper = bench.child_of(pid, "nlsh-verify")
        status = bench.status_of(helper)
        self.assertEqual((status["CapEff"], status["Seccomp"]), (bench.status_of("self")["CapEff"], "0"))
        listens = subprocess.run(["ss", "-xlpH"], capture_output=True, text=True, check=True).stdout
        self.assertIn(f"pid={pid},", listens)
        self.assertNotIn(f"pid={helper},", listens)
        self.assertEqual(server.end(), 0)
        bench.wait_for(lambda: not os.path.exists(f"/proc/{helper}"), 60)

    def test_mode_and_group(self):
        server = Server("/run/nlsh/mode.sock", "--mode", "0660", "--group", "daemon", seconds=10).start()
        last = last_socket(server.socket)
        bench.wait_for(lambda: last.stat().st_gid == 1)
        self.assertEqual(last.stat().st_mode & 0o7777, 0o660)
        self.assertEqual(server.end(), 0)

    def test_unsafe_places_are_refused(self):
        os.mkdir("/run/open", 0o777)
        os.chmod("/run/open", 0o777)
        os.mkdir("/run/nobodys", 0o755)
        os.chown("/run/nobodys", 65534, 65534)
        for words in (
            ["--socket", "/run/open/s"],
            ["--socket", "/run/nobodys/s"],
            ["--socket", "relative"],
            ["--socket", "/run/nlsh/m", "--mode", "0666"],
            ["--socket", "/run/nlsh/m", "--mode", "rw"],
            ["--socket", "/run/nlsh/m", "--group", "nosuchgroup"],
            ["--socket", "/run/" + "x" * 120],
            ["--socket", bench.SOCKET],
        ):  # the last one fails because a server is running
            done = subprocess.run([bench.NLSH, "serve", *words], capture_output=True, timeout=10)
            self.assertIn(done.returncode, (1, 2), words)
            self.assertIn(b"nlsh", done.stderr)


class SharedMemory(bench.WithServer):
    """Children send raw EXEC requests and claim their parent's root.

    A child with its parent's memory gets exactly what its parent would get, whatever the request claims. The server inspects other children fully."""

    OWN = {
        "nothing": bench.DONE,
        "bounded": bench.DECLINED,
        "filtered": bench.DECLINED,
        "nobody": bench.DECLINED,
        "ineffective": bench.DECLINED,
        "elsewhere": bench.DECLINED,
    }
    # These don't confine a child that shares the memory of an unconfined parent (SECURITY.md).
    NOT_CONFINED = {"bounded", "filtered", "elsewhere"}

    @classmethod
    def setUpClass(cls):
        cls.server = bench.Server()
        cls.server.start()
        subprocess.run("chmod 0666 /run/nlsh/nlsh.sock.*; chmod 0755 /run/nlsh", shell=True, check=True)
        cls.program = "/run/shared_memory"
        subprocess.run(["cc", "-Wall", "-Werror", "-o", cls.program, Path(__file__).with_name("shared_memory.c")], check=True)

    def ask(self, *words):
        frame = bench.request(bench.exec_words("/sbin/ip", "ip", "link", "set", "lo", "up"), bench.EXEC)
        done = subprocess.run([self.program, bench.SOCKET + ".0", *words], input=frame, capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, (words, done))
        return int(done.stdout)

    def test_a_child_that_changes_itself(self):
        for change, own in self.OWN.items():
            with self.subTest(change):
                self.assertEqual(self.ask("nothing", change, "fork"), own)
                self.assertEqual(self.ask("nothing", change, "vfork"), bench.DONE if change in self.NOT_CONFINED else own)

    def test_a_parent_that_is_confined(self):
        for change, own in self.OWN.items():
            for way in "fork", "vfork":
                with self.subTest(f"{change}, {way}"):
                    self.assertEqual(self.ask(change, "nothing", way), own)

    def test_another_root(self):
        """The request names another root than the child's, so the server inspects the child fully."""
        frame = bytearray(bench.request(bench.exec_words("/sbin/ip", "ip", "link", "set", "lo", "up"), bench.EXEC))
        frame[24] ^= 1  # the root in the header
        for change, expected in ("nothing", b"3\n"), ("filtered", b"1\n"):
            done = subprocess.run(
                [self.program, bench.SOCKET + ".0", "nothing", change, "vfork"], input=frame, capture_output=True, timeout=60, check=False
            )
            self.assertEqual(done.stdout, expected)
