#!/usr/bin/env python3
"""Ways of living together: two servers, restarts, other versions of the protocol on either side, containers. Argument:
the build directory. Needs root."""

import glob
import os
import re
import shutil
import signal
import struct
import subprocess

import preload_case
from nlsh_test.place import NAMES
from nlsh_test.processes import started
from preload_case import CLIENT, LIMIT

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
REPLY = struct.Struct("=IHBBiHH")
MAGIC = 0x68736C6E


class Servers(preload_case.PreloadTest):
    def test_two_servers(self):
        other = self.directory + "/other"
        first, second = self.start(), self.start(other)
        for prefix in (self.prefix, other, self.prefix, other):
            self.assertEqual(self.client("system", "ip test status 3", NLSH_SOCKET=prefix).seen, {"system": 3 << 8})
        second.terminate()
        self.assertEqual(second.wait(LIMIT), 0)
        self.client("system", "exit 4; ip", NLSH_SOCKET=other)
        self.assertEqual(self.client("popen", "ip test status 5").seen["status"], 5 << 8)
        self.assertEqual([how for _, how, _, _ in self.traced()], ["native"] * 4 + ["fallback", "native"])
        self.assertIsNone(first.poll())

    def test_restarts_under_a_program(self):
        """One process, the server ended in each way between its calls and started again."""
        script = (
            "import ctypes, sys\nsystem = ctypes.CDLL(None).system\nfor line in sys.stdin.buffer: print(system(line.rstrip()), flush=True)"
        )
        server = self.start()
        with subprocess.Popen(
            ["/usr/bin/python3", "-I", "-c", script], env=self.environment(), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as program:

            def call(line):
                program.stdin.write(line + "\n")
                program.stdin.flush()
                return int(program.stdout.readline())

            for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGINT):
                self.assertEqual(call("ip test status 3"), 3 << 8)
                server.send_signal(number)
                server.wait(LIMIT)
                self.assertEqual(call("exit 4; ip"), 4 << 8)
                server = self.start()
            self.assertEqual(call("ip test status 3"), 3 << 8)
            program.stdin.close()
        self.assertEqual([how for _, how, _, _ in self.traced()], ["native", "fallback"] * 3 + ["native"])


class Versions(preload_case.PreloadTest):
    def calls(self):
        for how, name in (("system", "system"), ("popen", "status")):
            self.assertEqual(self.client(how, "exit 4; ip").seen[name], 4 << 8)

    def test_a_newer_server_declines(self):
        """The first eight bytes of a reply keep their meaning; what follows may have grown."""
        with self.fake_server(REPLY.pack(MAGIC, 9, 1, 0, 0, 0, 0) + b"more than this version knows"):
            self.calls()
        self.assert_fallback("declined")

    def test_an_older_client_is_declined(self):
        """This preload with another version number."""
        self.start()
        library = self.other_version(9)
        for how, name in (("system", "system"), ("popen", "status")):
            self.assertEqual(self.client(how, "exit 4; ip", preload=False, LD_PRELOAD=library).seen[name], 4 << 8)
        self.assert_fallback("another protocol version")

    def other_version(self, number):
        source = self.directory + "/source"
        shutil.copytree(ROOT + "/preload", source + "/preload", ignore=shutil.ignore_patterns("tests"))
        for folder in ("inproc", "netns", "rights", "wire"):
            shutil.copytree(f"{ROOT}/shim/{folder}", f"{source}/shim/{folder}", ignore=shutil.ignore_patterns("*.cpp"))
        with open(ROOT + "/shim/wire/wire.h", encoding="utf-8") as file:
            header, changed = re.subn(r"(#define NLSH_VERSION) \d+", rf"\1 {number}", file.read())
        self.assertEqual(changed, 1)
        with open(source + "/shim/wire/wire.h", "w", encoding="utf-8") as file:
            file.write(header)
        library = self.directory + "/other.so"
        subprocess.run(
            [
                "cc",
                "-std=gnu17",
                "-O1",
                "-shared",
                "-fPIC",
                "-D_GNU_SOURCE",
                "-I" + source,
                "-o",
                library,
                *glob.glob(source + "/preload/*/*.c"),
                *glob.glob(source + "/shim/*/*.c"),
            ],
            check=True,
            timeout=5 * LIMIT,
        )
        return library

    def test_a_server_that_knows_no_batches_for_writing(self):
        with self.fake_server(REPLY.pack(MAGIC, 1, 1, 0, 0, 0, 12) + b"unknown kind"):
            done = subprocess.run(
                ["/usr/bin/lua5.4", "-e", "print(io.popen('exit 4; ip -batch -', 'w'):close())"],
                env=self.environment(),
                capture_output=True,
                text=True,
                timeout=LIMIT,
                check=True,
            )
        self.assertEqual(done.stdout, "nil\texit\t4\n")
        self.assert_fallback("unknown kind")

    def test_only_roots_server_may_replace_a_line(self):
        """The shell gets a line from a trusted server's reply, and never from another user's server."""
        with self.fake_server(REPLY.pack(MAGIC, 1, 4, 0, 0, 0, 6) + b"exit 5"):
            script = "print(io.popen('exit 4; ip -batch -', 'w'):close())"
            for expected in (5, 4):
                done = subprocess.run(
                    ["/usr/bin/lua5.4", "-e", script], env=self.environment(), capture_output=True, text=True, timeout=LIMIT, check=True
                )
                self.assertEqual(done.stdout, f"nil\texit\t{expected}\n")
                for path in glob.glob(self.prefix + ".*"):
                    os.unlink(path)
                if expected == 5:
                    self.listen_as_nobody()

    def listen_as_nobody(self):
        os.chmod(self.directory, 0o777)
        script = (
            "import os, socket, struct, sys\n"
            "prefix, ready = sys.argv[1], sys.stdout\n"
            "sockets = []\n"
            "for number in range(os.cpu_count()):\n"
            "    one = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)\n"
            "    one.bind(f'{prefix}.{number}'); one.listen(5); sockets.append(one)\n"
            "print('ready', flush=True)\n"
            "import select\n"
            "for one in select.select(sockets, [], [], 60)[0]:\n"
            "    peer, _ = one.accept(); peer.recv(200000)\n"
            "    peer.send(struct.pack('=IHBBiHH', 0x68736C6E, 1, 4, 0, 0, 0, 6) + b'exit 6')\n"
        )
        process = started(
            self,
            ["setpriv", "--reuid=65534", "--clear-groups", "/usr/bin/python3", "-I", "-c", script, self.prefix],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.assertEqual(process.stdout.readline(), "ready\n")


SAME_FILES = ("unshare", "-mnpf", "--mount-proc")
NETNS_EXEC = ("unshare", "-nm", "sh", "-c", 'umount -l /sys && mount -t sysfs sysfs /sys && exec "$@"', "sh")
OTHER_FILES = {
    "/etc": ("unshare", "-mnpf", "sh", "-c", f'mount -t tmpfs none {NAMES} && exec "$@"', "sh"),
    "ip": ("unshare", "-mnpf", "sh", "-c", 'mount --bind /bin/true "$(readlink -f /sbin/ip)" && exec "$@"', "sh"),
    "/proc/sys": (
        "unshare",
        "-mnpf",
        "sh",
        "-c",
        'mount --bind /proc/sys /proc/sys && mount -o remount,ro,bind /proc/sys && exec "$@"',
        "sh",
    ),
}


@preload_case.needs_mounts
class Containers(preload_case.PreloadTest):
    """One server, several containers that find its socket."""

    def setUp(self):
        super().setUp()
        self.start()

    def test_containers_with_the_machines_files_are_served(self):
        for number, container in enumerate((SAME_FILES, SAME_FILES, NETNS_EXEC)):
            setup = f'ip link add nlsht{number} type bridge && exec "$@"'
            inside = self.client("popen", f"ip test devices nlsht{number}", wrap=(*container, "sh", "-c", setup, "sh"))
            self.assertIn(inside.out, (b"0\n", b"1\n"), inside.err)
            beside = self.client("popen", f"ip test devices nlsht{number}", wrap=container)
            self.assertEqual(beside.out, b"none\n", beside.err)
        self.assertEqual({how for _, how, _, _ in self.traced()}, {"native"})

    def test_containers_at_once(self):
        running = [
            subprocess.Popen(
                [*SAME_FILES, CLIENT, "threads", "ip test out 100"],
                env=self.environment(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            for _ in range(3)
        ]
        for process in running:
            _, errors = process.communicate(timeout=LIMIT)
            self.assertEqual((process.returncode, errors), (0, b""))
        self.assertEqual({how for _, how, _, _ in self.traced()}, {"native"})

    def test_containers_with_files_of_their_own_go_the_real_way(self):
        for name, container in OTHER_FILES.items():
            with self.subTest(name):
                os.truncate(self.trace, 0) if os.path.exists(self.trace) else None
                self.assertEqual(self.client("system", "ip test status 4; exit 4", wrap=container).seen, {"system": 4 << 8})
                self.assert_fallback("peer is in another root or mount namespace")

    def test_a_container_with_a_server_of_its_own(self):
        setup = (
            f'mount -t tmpfs none {NAMES}; mkdir "$1"; "$2" "$1/sock" & server=$!; '
            'until [ -S "$1/sock.$3" ]; do sleep 0.01; done; NLSH_SOCKET=$1/sock "$4" system "ip test status 3"; kill $server; wait'
        )
        done = subprocess.run(
            [
                "unshare",
                "-mnpf",
                "--mount-proc",
                "sh",
                "-c",
                setup,
                "sh",
                self.directory + "/own",
                preload_case.SERVER,
                str(os.cpu_count() - 1),
                CLIENT,
            ],
            env=self.environment(),
            capture_output=True,
            timeout=LIMIT,
            check=False,
        )
        self.assertEqual(self.traced()[-1][:3], ("system", "native", "3"), done)


if __name__ == "__main__":
    preload_case.main()
