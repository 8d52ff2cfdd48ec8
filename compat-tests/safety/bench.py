"""A server to attack, callers for load, and a raw peer that sends any bytes on the wire.

Run it in its own network and mount namespace (safety.bats): /run is private, and all links belong to the test.
"""

import ast
import collections
import contextlib
import ctypes
import os
import socket
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

from nlsh_test import server, trace
from nlsh_test.place import BUILD, CALLS, NLSH, PRELOAD, RELEASE, ROOT
from nlsh_test.waiting import wait_for

__all__ = ["BUILD", "NLSH", "ROOT", "wait_for"]  # includes names that this module re-exports

PREFIX = os.environ.get("NLSH_SERVE_PREFIX", "").split()  # valgrind and its options
SANITIZED = BUILD != RELEASE or bool(PREFIX)
OPTIONS = os.environ.get("NLSH_SERVE_OPTIONS", "").split()
SOCKET = "/run/nlsh/nlsh.sock"
MAGIC, VERSION = 0x68736C6E, 2
POPEN, SYSTEM, STATS, JUDGE, EXEC = 1, 2, 3, 5, 7
DECLINED, STREAM, DONE, OPEN = 1, 2, 3, 5
WANT_TEXT, KEEP, STREAMS, STDERR, NETLINK = 1, 2, 8, 128, 256  # request flags
KEPT, NOT_THIS_CALLER = 1, 16  # reply flags
CUT_OFF = 137 << 8
STACK_KIB = 1024  # a thread's stack (shim/server/server.cpp)

if "NLSH_SAFETY" not in os.environ:  # safety.bats sets it after unshare
    raise RuntimeError("these tests change the network: run them by safety.bats, in a namespace of their own")

os.environ["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"
os.environ["LC_ALL"] = "C"


class Server(server.Server):
    def __init__(self):
        super().__init__(SOCKET, seconds=60 if SANITIZED else 20)

    def start(self, *options: str, prefix: tuple[str, ...] = ()):
        self.words = [*prefix, *PREFIX, NLSH, "serve", "--socket", SOCKET, *OPTIONS, *options]
        return super().start()

    def answers(self):
        """Waits until each socket has a thread. The sockets exist earlier: the server drops its rights and starts threads after that."""
        for number in range(os.cpu_count()):
            with Peer(path=f"{SOCKET}.{number}") as peer:
                peer.send(request(b"", kind=STATS))
                if peer.reply() != DONE:
                    raise RuntimeError("the server doesn't answer")

    def stop(self):
        server.stop(self.process)

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def of_descriptors(self, look) -> list:
        """look(number) of each descriptor; skips descriptors that close meanwhile."""
        found = []
        for number in os.listdir(f"/proc/{self.process.pid}/fd"):
            with contextlib.suppress(FileNotFoundError):
                found.append(look(number))
        return found

    def memory_kib(self) -> int:
        """The server's own memory.

        Excludes pages of files, which the kernel maps and drops as it likes, and the threads' stacks, whose size depends on the depth of calls."""
        held, stack = 0, False
        for line in Path(f"/proc/{self.process.pid}/smaps").read_text().splitlines():
            words = line.split()
            if words[0] == "Size:":
                stack = int(words[1]) == STACK_KIB
            elif words[0] == "Anonymous:" and not stack:
                held += int(words[1])
        return held

    def threads(self) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/task"))


class WithServer(unittest.TestCase):
    """One server for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.server.start()

    @classmethod
    def tearDownClass(cls):
        cls.server.end()


# A caller: reads command lines, and prints each one's wait status and duration. ctypes calls the preload's system().
_CALLER = """
import ctypes, sys, time
system = ctypes.CDLL(None).system
for line in sys.stdin.buffer:
    start = time.monotonic()
    status = system(line.rstrip(b"\\n"))
    print(status, time.monotonic() - start, flush=True)
"""
# The same by popen(): prints the output and the wait status.
_READER = f"""{CALLS}
import sys
for line in sys.stdin.buffer:
    print(repr(popen(line.rstrip(b"\\n"))), flush=True)
"""
# Until standard input ends, adds lots of routes and deletes every second lot. A line has so many routes that a kill hits it
# midway. Prints `lot, status of the addition, of the deletion`; a lot's name is its first address.
ROUTES = 20
LOTS = 12  # in a /24: a load has room for 120,000
_LOAD = f"""
import ctypes, os, select, sys
def spawn(line):
    return os.waitpid(os.posix_spawn("/bin/sh", ["sh", "-c", line.decode()], os.environ), 0)[1]
def fork(line):
    child = os.fork()
    if child == 0:
        os.execv("/bin/sh", ["sh", "-c", line.decode()])
    return os.waitpid(child, 0)[1]
system = spawn if "spawn" in sys.argv else fork if "fork" in sys.argv else ctypes.CDLL(None).system
number = int(sys.argv[1])
count = 0
while not select.select([sys.stdin], [], [], 0)[0]:
    count += 1
    block, place = divmod(count, {LOTS})
    net, first = f"10.{{number * 40 + block // 250}}.{{block % 250}}", place * {ROUTES}
    lot = f"{{net}}.{{first}}"
    def routes(verb):
        return " && ".join(f"ip route {{verb}} {{net}}.{{first + last}} dev lo" for last in range({ROUTES})).encode() + b" 2>/dev/null"
    added = system(routes("add"))
    print(lot, added, flush=True)
    if count % 2:
        print(lot, added, system(routes("del")), flush=True)
"""


# Holds so many connections; with a second argument, makes them anew for ever. Prints a line whenever all are there.
CONNECTIONS = f"""
import os, socket, sys
while True:
    held = []
    for number in range(int(sys.argv[1])):
        peer = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        peer.connect({SOCKET!r} + "." + str(number % os.cpu_count()))
        held.append(peer)
    print("full", flush=True)
    if len(sys.argv) == 2: sys.stdin.read(), sys.exit()
"""


# Until standard input ends, runs lines of many kinds by popen and checks each result. Prints how many ran, how many were cut
# off, and each unexpected result. What a cut line leaves doesn't matter: the next turn has other names.
_KINDS = """
import select, sys
load, turn, cut = int(sys.argv[1]), 0, 0
while not select.select([sys.stdin], [], [], 0)[0]:
    turn += 1
    net, device = f"10.{100 + load}.{turn // 250 % 250}.{turn % 250}", f"k{load}x{turn % 1000000}"
    lines = [
        (f"ip link add {device} type veth peer name {device}p && ip link set {device} mtu 1400 up && ip link set {device}p up", "", 0),
        (f"ip link add {device} type veth peer name {device}q 2>/dev/null; echo $?; ip link set {device} alias {device}", "2\\n", 0),
        (f"ip addr add {net}/32 dev {device} && ip addr add {net}/31 dev {device} && ip -o -4 addr show dev {device} | wc -l", "2\\n", 0),
        (f"ip route add {net} dev {device} metric 7 && ip route show {net} metric 7", f"{net} dev {device} scope link \\n", 0),
        (f"ip route del {net} metric 7 || echo lost; ip route del {net} metric 7 2>/dev/null", "", 512),
        (f"ip link set {device} name {device}r && ip link set {device}r down && ip link del {device}r", "", 0),
        (f"ip link del {device} 2>/dev/null || echo gone", "gone\\n", 0),
    ]
    for number, (line, output, status) in enumerate(lines):
        got = popen(line)
        if got == (output, status):
            print("right", flush=True)
        elif got[1] == 137 << 8 or got[0] == "137\\n":
            print("cut", flush=True)
            popen(f"ip link del {device} 2>/dev/null; ip link del {device}r 2>/dev/null")
            break
        else:
            print("wrong", repr(line), repr(got), flush=True)
            break
"""


class Program:
    """A Python program under the preload, with a trace of its calls. errors: its output has them, too."""

    def __init__(self, text: str, *arguments: str, prefix: tuple[str, ...] = (), timeout_ms: int = 1000, errors: bool = False):
        self.trace = Path(tempfile.mktemp(prefix="nlsh-safety-"))
        self.output = tempfile.TemporaryFile("w+")
        environment = os.environ | {
            "LD_PRELOAD": str(PRELOAD),
            "NLSH_TRACE": str(self.trace),
            "NLSH_SOCKET": SOCKET,
            "NLSH_TIMEOUT_MS": str(timeout_ms),
        }
        piped = text in (_CALLER, _READER)
        self.process = subprocess.Popen(
            [*prefix, "/usr/bin/python3", "-I", "-c", text, *arguments],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if piped else self.output,
            text=True,
            bufsize=1,
            stderr=self.output if errors else None,
        )

    def finish(self, seconds: float = 30) -> list[str]:
        self.process.stdin.close()
        self.process.wait(seconds)
        self.output.seek(0)
        lines = self.output.read().splitlines()
        self.output.close()
        return lines

    def traced(self) -> tuple[int, int]:
        """How many calls were native, and how many fell back."""
        calls = trace.read(self.trace) if self.trace.exists() else []
        native = sum(call.native for call in calls)
        return native, len(calls) - native


class Caller(Program):
    def __init__(self, *prefix: str, timeout_ms: int = 1000):
        super().__init__(_CALLER, prefix=prefix, timeout_ms=timeout_ms)

    def send(self, line: str):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def receive(self) -> tuple[int, float]:
        status, seconds = self.process.stdout.readline().split()
        return int(status), float(seconds)

    def system(self, line: str) -> tuple[int, float]:
        self.send(line)
        return self.receive()

    def finish(self, seconds: float = 30) -> list[str]:
        lines = super().finish(seconds)
        self.process.stdout.close()
        return lines


class Reader(Caller):
    """As Caller, by popen() instead of system()."""

    def __init__(self, *prefix: str):
        Program.__init__(self, _READER, prefix=prefix)

    def popen(self, line: str) -> tuple[str, int]:
        self.send(line)
        return ast.literal_eval(self.process.stdout.readline())


def python(text: str, *words: str, prefix=(), preload: bool = False, seconds: float = 60, **environment: str) -> tuple[int, str, str]:
    """Runs a Python program; returns its status, output and messages."""
    preloaded = {"LD_PRELOAD": str(PRELOAD), "NLSH_SOCKET": SOCKET} if preload else {}
    done = subprocess.run(
        [*prefix, "/usr/bin/python3", "-I", "-B", "-c", text, *words],
        capture_output=True,
        text=True,
        errors="backslashreplace",
        timeout=seconds,
        env=os.environ | preloaded | environment,
    )
    return done.returncode, done.stdout, done.stderr


def load(number: int, way: str = "system", errors: bool = False) -> Program:
    return Program(_LOAD, str(number), way, errors=errors)


def kinds(number: int, *prefix: str) -> Program:
    return Program(CALLS + _KINDS, str(number), prefix=prefix)


def status_of(process: str) -> dict[str, str]:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def child_of(process: int, name: str) -> str:
    """The child's pid; empty if no child has that name."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return next((child for child in children if Path(f"/proc/{child}/comm").read_text().strip() == name), "")


def ip(*words: str) -> str:
    return subprocess.run(["/sbin/ip", *words], check=True, capture_output=True, text=True).stdout


def route_lots() -> collections.Counter:
    """For each lot, how many of its routes the kernel has."""
    addresses = [line.split()[0].rpartition(".") for line in ip("route", "show", "root", "10.0.0.0/8").splitlines()]
    return collections.Counter(f"{net}.{int(last) // ROUTES * ROUTES}" for net, _, last in addresses)


def request(line: bytes, kind: int = SYSTEM, environment: bytes = b"PATH=/sbin:/bin\0LC_ALL=C\0", **lies) -> bytes:
    header = {
        "magic": MAGIC,
        "version": VERSION,
        "kind": kind,
        "reserved": 0,
        "flags": WANT_TEXT,
        "command_size": len(line),
        "environment_size": len(environment),
        "reserved_too": 0,
        "root": root_number(),
    } | lies
    return struct.pack("=IHBBIIIIQ", *header.values()) + line + environment


def root_number() -> int:
    """A number for this process's root, computed as shim/wire/root.c does."""
    mount_unique, inode, status = 0x4000, 0x100, ctypes.create_string_buffer(256)
    if ctypes.CDLL(None).statx(-100, b"/", 0x800, mount_unique | 0x1000 | inode, status) != 0:
        return 0
    (number,) = struct.unpack_from("Q", status, 32)
    major, minor, mount = struct.unpack_from("IIQ", status, 136)
    return (number ^ ((major << 32 | minor) << 16) ^ (mount << 40) ^ (mount >> 24)) & (1 << 64) - 1


def opened(error: int = 0) -> bytes:
    """A reply to NLSH_OPEN."""
    return struct.pack("=IHHi", MAGIC, VERSION, 0, error)


def exec_words(*words: str) -> bytes:
    """The command of an NLSH_EXEC request: the file, then argv."""
    return b"".join(word.encode() + b"\0" for word in words)


class Peer:
    """A raw connection to the server."""

    def __init__(self, seconds: float = 30, path: str = f"{SOCKET}.0"):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(seconds)
        self.socket.connect(path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, frame: bytes, descriptors: list[int] | None = None):
        try:
            if descriptors:
                socket.send_fds(self.socket, [frame], descriptors)
            else:
                self.socket.send(frame)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def reply(self) -> int | None:
        """The reply's type; None if the server closed. If the server replied without reading our bytes, ECONNRESET comes before the reply."""
        frame = b""
        for _ in range(2):
            try:
                frame = self.socket.recv(8192)
                break
            except ConnectionResetError:
                pass
        return struct.unpack_from("=IHBB", frame)[2] if len(frame) >= 8 else None
