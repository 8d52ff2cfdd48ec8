"""Too few threads, too little memory, too few descriptors; other users who may connect; traces that can't be written."""

import os
import resource
import subprocess
import time
import unittest
from pathlib import Path

from in_child import in_child
from nlsh_test.place import CALLS
from nlsh_test.processes import NOBODY, started
from nlsh_test.server import Server

from . import bench

MIB = 1 << 20
SECONDS = 60  # timeout for quick steps on a busy machine


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def removed(group: Path) -> bool:
    """Tries to remove a control group, which works when its last process has gone."""
    try:
        group.rmdir()
    except OSError:
        return False
    return True


def sockets() -> list[Path]:
    return [path for path in Path("/run/nlsh").glob("*") if path.is_socket()]


class FewThreads(unittest.TestCase):
    def serve(self, *prefix: str):
        """The server either ends with a message and leaves no socket, or answers and obeys SIGTERM. Returns which."""
        launched = Server(bench.SOCKET, around=prefix, seconds=SECONDS, stderr=subprocess.PIPE)
        serves, server = launched.launch(), launched.process
        if serves:
            caller = bench.Caller()
            status, _ = caller.system("ip link set lo up")
            caller.finish()
            bench.wait_for(lambda: processor_seconds(server.pid) < SECONDS)  # the process is in /proc
            before = processor_seconds(server.pid)
            time.sleep(0.3)
            busy = processor_seconds(server.pid) - before
            server.terminate()
            server.wait(SECONDS)
            self.assertEqual((status, server.stderr.read()), (0, b""))
            self.assertLess(busy, 0.2)
            self.assertEqual(server.returncode, 0)
            self.assertEqual(sum(caller.traced()), 1)  # a fallback, if the server started but has no memory for a line
        else:
            self.assertEqual(server.returncode, 1)
            self.assertRegex(server.stderr.read(), b"^nlsh: .*\n$")
        server.stderr.close()
        self.assertEqual(sockets(), [])
        return server.returncode

    def test_address_space(self):
        """`ulimit -v`, from too little for a start to enough for everything."""
        done = [
            self.serve("prlimit", f"--as={mebibytes * MIB}")
            for mebibytes in (8, 12, 16, 20, 24, 28, 32, 40, 50, 60, 70, 80, 90, 100, 120, 140, 400)
        ]
        self.assertEqual(done[-1], 0)
        self.assertIn(1, done)

    def test_pids(self):
        root = Path("/sys/fs/cgroup/pids")
        group = (root if root.is_dir() else Path("/sys/fs/cgroup")) / f"nlsh-test-{os.getpid()}"
        try:
            group.mkdir()
        except OSError as error:
            self.skipTest(str(error))
        self.addCleanup(bench.wait_for, lambda: removed(group), SECONDS)
        if not (group / "pids.max").exists():
            self.skipTest("no pids controller")
        done = []
        for most in range(1, 14):
            (group / "pids.max").write_text(str(most))
            done.append(self.serve("sh", "-c", f'echo $$ >{group}/cgroup.procs && exec "$@"', "sh"))
        self.assertEqual((done[0], done[-1]), (1, 0))


class LittleMemory(unittest.TestCase):
    def test_nothing_is_cut_off(self):
        """A call without enough memory falls back before anything of its line has run."""
        server = bench.Server()
        server.start()
        server.answers()
        caller = bench.Caller()
        fallback = 0
        for number in range(40):
            # Long lines are parsed and cached while the free memory varies.
            size = int((Path(f"/proc/{server.process.pid}/statm").read_text().split())[0]) * os.sysconf("SC_PAGE_SIZE")
            room = size + number % 4 * 64 * 1024
            resource.prlimit(server.process.pid, resource.RLIMIT_AS, (room, resource.RLIM_INFINITY))
            net = f"10.9.{number}"
            line = " && ".join(f"ip route add {net}.{last} dev lo metric {number}" for last in range(200))
            status, _ = caller.system(line)
            self.assertEqual(status, 0, line[:40])
            added = bench.ip("route", "show", "root", f"{net}.0/24").splitlines()
            self.assertEqual(len(added), 200)
        caller.finish()
        _, fallback = caller.traced()
        self.assertGreater(fallback, 0)
        resource.prlimit(server.process.pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        self.assertEqual(server.end(), 0)


class Strangers(unittest.TestCase):
    """With --group other users may connect, and gain nothing else."""

    def setUp(self):
        self.server = bench.Server()
        self.server.start("--mode", "0660", "--group", "65534")
        self.addCleanup(self.server.end)

    def as_member(self, action) -> str:
        """The result of action() in a child without rights, as text."""

        def without_rights():
            os.setgroups([])
            os.setresgid(65534, 65534, 65534)
            os.setresuid(65534, 65534, 65534)
            return action()

        return in_child(without_rights)

    def test_no_statistics_and_no_judgement(self):
        for kind, about in (bench.STATS, b""), (bench.JUDGE, b"%d" % os.getpid()):

            def ask():
                with bench.Peer() as peer:
                    peer.send(bench.request(about, kind=kind))  # noqa: B023
                    return peer.reply()

            with self.subTest(kind=kind):
                self.assertEqual(self.as_member(ask), str(bench.DECLINED))
                self.assertEqual(ask(), bench.DONE)

    def test_judgement_is_for_those_who_count_processes_alike(self):
        """In another pid namespace, the same pid means another process."""
        done = subprocess.run(["unshare", "--pid", "--fork", "--mount-proc", bench.NLSH, "doctor", "1"], capture_output=True, text=True)
        self.assertIn("asked from another pid namespace", done.stdout)
        self.assertNotEqual(done.returncode, 0)

    def test_a_flood_holds_nobody_up(self):
        flood = started(self, [*NOBODY, "/usr/bin/python3", "-I", "-c", bench.CONNECTIONS, "400", "for ever"], stdout=subprocess.PIPE)
        flood.stdout.readline()
        caller = bench.Caller(timeout_ms=SECONDS * 1000)
        for _ in range(20):
            self.assertEqual(caller.system("ip link set lo up")[0], 0)
            flood.stdout.readline()
        caller.finish()
        self.assertEqual(caller.traced(), (20, 0))

    def test_a_fresh_connection_is_its_makers(self):
        with bench.Peer() as peer:

            def ask():
                peer.send(bench.request(b"ip link add name stolen type bridge"))
                return peer.reply()

            self.assertEqual(self.as_member(ask), str(bench.DECLINED))
        self.assertFalse(os.path.exists("/sys/class/net/stolen") or "stolen" in bench.ip("link"))


class UnsafeWay(unittest.TestCase):
    def test_parents_of_the_sockets(self):
        """A user who can rename a directory of the sockets' path could put other sockets there."""
        os.makedirs("/run/hers/nlsh")
        os.chown("/run/hers", 65534, 65534)
        os.makedirs("/run/real/nlsh")
        os.symlink("/run/real", "/run/hers/link")
        os.symlink("/run/hers/link", "/run/link")
        for prefix in ("/run/hers/nlsh/s", "/run/link/nlsh/s"):
            done = subprocess.run([bench.NLSH, "serve", "--socket", prefix], capture_output=True, timeout=SECONDS)
            self.assertEqual(done.returncode, 1, prefix)
            self.assertIn(b"/run/hers", done.stderr)


# Prints each call's result.
_CALLS = f"{CALLS}\nimport sys\n"


class Program(bench.WithServer):
    """The preload in a program that is short of resources."""

    def run_program(self, text: str, *prefix: str, preload: bool = True, **environment: str):
        return bench.python(_CALLS + text, prefix=prefix, preload=preload, seconds=SECONDS, **environment)[:2]

    def same(self, text: str, *prefix: str, **environment: str):
        real = self.run_program(text, *prefix, preload=False)
        for engine in ("server", "inproc"):
            self.assertEqual(self.run_program(text, *prefix, **{"NLSH_ENGINE": engine}, **environment), real, engine)
        return real

    def test_few_descriptors(self):
        """With the preload a program can open as many streams as without."""
        for limit in (40, 103, 106, 120, 160):
            text = f"""
import resource
for i in range(20): system("ip link set lo up")
resource.setrlimit(resource.RLIMIT_NOFILE, ({limit}, {limit}))
for i in range(20): system("ip link set lo up")
streams = []
while stream := libc.popen(b"ip link set lo up", b"r"): streams.append(stream)
print(len(streams), ctypes.get_errno())
"""
            code, output = self.same(text, "prlimit", f"--nofile={limit}")
            self.assertEqual(code, 0)
            self.assertGreater(int(output.split()[0]), limit // 3)

    def test_another_root_within_a_burst(self):
        os.makedirs("/run/empty", exist_ok=True)
        self.same("""
for i in range(15): system("ip link set lo mtu 60000")
os.chroot("/run/empty")
print(system("ip link set lo mtu 60001"))
""")

    def test_trace_to_a_pipe_that_nobody_reads(self):
        os.mkfifo("/run/fifo")
        self.assertEqual(self.run_program('print(system("true"), system("ip link set lo up"))', NLSH_TRACE="/run/fifo"), (0, "0 0\n"))

    def test_trace_to_a_pipe_without_reader(self):
        text = """
read_end, write_end = os.pipe()
os.dup2(write_end, 2)
os.close(read_end)
print(system("true"), system("ip link set lo up"))
"""
        self.assertEqual(self.run_program(text, NLSH_TRACE="/dev/stderr"), (0, "0 0\n"))

    def test_trace_beyond_the_limit_of_a_file(self):
        self.assertEqual(
            self.run_program('print(system("true"), system("ip link set lo up"))', "prlimit", "--fsize=0", NLSH_TRACE="/run/limited"),
            (0, "0 0\n"),
        )

    def test_setuid_programs_ignore_the_environment(self):
        """/etc/ld.so.preload loads the library into setuid programs, too."""
        os.makedirs("/run/etc", exist_ok=True)
        for name in ("passwd", "group"):
            Path(f"/run/etc/{name}").write_text(Path(f"/etc/{name}").read_text())
        Path("/run/etc/ld.so.preload").write_text(f"{bench.PRELOAD}\n")
        script = """
cp /usr/bin/lua5.4 /run/privileged && chmod 4755 /run/privileged
mount --bind /run/etc /etc
mkdir -m 777 /run/open
exec setpriv --reuid=65534 --regid=65534 --clear-groups env NLSH_TRACE=/run/open/trace "$@"
"""
        for program, traced in (("/usr/bin/lua5.4", True), ("/run/privileged", False)):
            subprocess.run(["rm", "-rf", "/run/open"], check=True)
            subprocess.run(["unshare", "-m", "sh", "-ec", script, "sh", program, "-e", 'os.execute("true")'], check=True, timeout=SECONDS)
            self.assertEqual(os.path.exists("/run/open/trace"), traced, program)
