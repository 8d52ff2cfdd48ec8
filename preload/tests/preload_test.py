#!/usr/bin/env python3
"""The preload against a server whose engine knows `ip test …` only. Argument: the build directory.

Each test gets a server of its own in a new directory, runs in a new network namespace, and has a time
limit for each process it starts. Needs root."""
import contextlib
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

BUILD = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "build/release"
PRELOAD = os.path.join(BUILD, "libnlsh-preload.so")
SERVER = os.path.join(BUILD, "preload/tests/nlsh_test_server")
CLIENT = os.path.join(BUILD, "preload/tests/preload_client")
CUT_OFF = 137 << 8
NAMES = next(filter(os.path.isdir, ("/etc/iproute2", "/usr/share/iproute2")))  # iproute2's: since Debian 13 the latter
LIMIT = int(os.environ.get("NLSH_TEST_SECONDS", "60"))  # for any process: the machine may be busy, or emulated


class Result:
    def __init__(self, process, reports):
        self.out, self.err, self.code = process.stdout, process.stderr, process.returncode
        self.seen = {}
        for line in reports.splitlines():
            name, value, error = line.split(" ", 2)
            self.seen[name] = int(value) if value != "-1" else error


class PreloadTest(unittest.TestCase):
    server_command = [SERVER]

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="nlsh-preload-test.")
        self.addCleanup(shutil.rmtree, self.directory)
        self.prefix = self.directory + "/sock"
        self.trace = self.directory + "/trace"
        self.servers = []
        self.addCleanup(self.stop_servers)

    def start(self, prefix=None):
        server = subprocess.Popen([*self.server_command, prefix or self.prefix], stderr=subprocess.PIPE)
        self.servers.append(server)
        self.wait_for(lambda: self.listening(prefix or self.prefix) or server.poll() is not None)
        return server

    def wait_for(self, condition):
        deadline = time.monotonic() + LIMIT
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    @staticmethod
    def listening(prefix):
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as probe:
            return probe.connect_ex(f"{prefix}.{os.cpu_count() - 1}") == 0

    def stop(self, server):
        """Until each of its threads has stopped: on a busy machine one could still answer."""
        server.send_signal(signal.SIGSTOP)
        self.wait_for(lambda: self.states(server.pid) == {"T"})

    @staticmethod
    def states(pid):
        found = set()
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/stat", encoding="utf-8") as file:
                found.add(file.read().rsplit(")", 1)[1].split()[0])
        return found

    def wait_until_it_waits(self, client):
        """For its answer: it sleeps, and has a socket."""
        self.wait_for(lambda: self.states(client.pid) == {"S"} and self.has_socket(client.pid))

    @staticmethod
    def has_socket(pid):
        folder = f"/proc/{pid}/fd"
        for number in os.listdir(folder):
            with contextlib.suppress(FileNotFoundError):  # closed meanwhile
                if os.readlink(os.path.join(folder, number)).startswith("socket:"):
                    return True
        return False

    def stop_servers(self):
        for server in self.servers:
            if server.poll() is None:
                server.send_signal(signal.SIGCONT)
                server.kill()
            server.wait(LIMIT)
            server.stderr.close()

    def environment(self, preload=True, **more):
        variables = {**os.environ, "NLSH_SOCKET": self.prefix, "NLSH_TRACE": self.trace,
                     "NLSH_TIMEOUT_MS": "20000", **more}
        if preload:
            variables["LD_PRELOAD"] = PRELOAD
        return variables

    def client(self, how, command, *options, preload=True, wrap=(), stdout=subprocess.PIPE, **more):
        read_end, write_end = os.pipe()
        arguments = ["bash", "-c", 'exec 3>&"$0"; exec "$@"', str(write_end), *wrap, CLIENT, how,
                     command, *options]
        process = subprocess.Popen(arguments, env=self.environment(preload, **more),
                                   pass_fds=[write_end], stdout=stdout, stderr=subprocess.PIPE)
        os.close(write_end)
        try:
            process.stdout_, process.stderr_ = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        with os.fdopen(read_end) as reports:
            text = reports.read()
        process.stdout, process.stderr = process.stdout_, process.stderr_
        return Result(process, text)

    def traced(self, *ways):
        """(way, native or handed-over, status, reason) of each call so far, by popen and system if no ways are named:
        what a handed over line's shell execs is traced, too."""
        with open(self.trace) as lines:
            fields = [line.rstrip("\n").split("\t") for line in lines]
        return [(f[0], f[1], f[2], f[5]) for f in fields if f[0] in (ways or ("popen", "system"))]

    def assert_handed_over(self, reason):
        for way, how, _, why in self.traced():
            self.assertEqual((how, why), ("handed-over", reason), way)


class Native(PreloadTest):
    def test_status(self):
        self.start()
        self.assertEqual(self.client("system", "ip test status 3").seen, {"system": 3 << 8})
        popen = self.client("popen", "ip test status 4").seen
        self.assertEqual(popen["status"], 4 << 8)
        self.assertEqual([t[1] for t in self.traced()], ["native", "native"])

    def test_descriptor_is_the_one_that_libc_gives(self):
        self.start()
        ours = self.client("popen", "ip test out 20").seen
        libc = self.client("popen", "echo x", preload=False).seen
        self.assertEqual((ours["fd"], ours["cloexec"]), (libc["fd"], libc["cloexec"]))
        streamed = self.client("popen", "ip test out 20000").seen
        self.assertEqual((streamed["fd"], streamed["cloexec"]), (libc["fd"], libc["cloexec"]))

    def test_output_of_every_size(self):
        self.start()
        for size in (0, 1, 4095, 4096, 4097, 65536, 65537, 3_000_000):
            for how in ("popen", "slow"):
                result = self.client(how, f"ip test out {size}")
                self.assertEqual(len(result.out), size)
                self.assertEqual(result.seen["status"], 0)
        self.assertEqual(len(self.client("system", "ip test out 200000").out), 200000)

    def test_stderr(self):
        self.start()
        for how in ("popen", "system"):
            result = self.client(how, "ip test err no such thing")
            self.assertEqual(result.err, b"no such thing\n")
            self.assertEqual(result.seen.get("status", result.seen.get("system")), 2 << 8)
        self.assertIn("no such thing", self.traced()[1][3])

    def test_reader_that_leaves(self):
        self.start()
        self.assertEqual(self.client("early", "ip test out 3000000").seen["status"], 141 << 8)
        ignored = self.client("early", "ip test out 3000000", "ignore-sigpipe")
        self.assertEqual(ignored.seen["status"], 0)
        self.assertEqual(self.client("early", "ip test out 2000").seen["status"], 0)

    def test_fclose_gives_the_status(self):
        self.start()
        self.assertEqual(self.client("fclose", "ip test status 5").seen["status"], 5 << 8)
        libc = self.client("fclose", "exit 5", preload=False).seen
        self.assertEqual(libc["status"], 5 << 8)

    def test_sigchld_ignored(self):
        self.start()
        for how, command in (("system", "ip test status 0"), ("popen", "ip test out 20")):
            ours = self.client(how, command, "ignore-sigchld").seen
            libc = self.client(how, "true", "ignore-sigchld", preload=False).seen
            name = "status" if how == "popen" else "system"
            self.assertEqual((ours[name], libc[name]), ("No child processes",) * 2)

    def test_fork(self):
        self.start()
        for size in (20, 50000):
            ours = self.client("fork", f"ip test out {size}").seen
            self.assertEqual(ours, {"child": "No child processes", "bytes": size, "parent": 0})
        libc = self.client("fork", "printf %020d 0", preload=False).seen
        self.assertEqual(libc, {"child": "No child processes", "bytes": 20, "parent": 0})

    def test_threads(self):
        self.start()
        self.assertEqual(self.client("threads", "ip test out 100").seen, {"errors": 0})

    def test_slow_readers_hold_nobody_up(self):
        self.start()
        readers = [subprocess.Popen([CLIENT, "slow", "ip test out 300000"], env=self.environment(),
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                   for _ in range(12)]
        started = time.monotonic()
        self.assertEqual(self.client("system", "ip test status 0").seen, {"system": 0})
        self.assertLess(time.monotonic() - started, 5)
        for reader in readers:
            reader.wait(LIMIT)

    def test_namespace_is_the_callers(self):
        self.start()
        probe = "/proc/sys/net/ipv4/conf/nlsht0/forwarding"
        setup = f'ip link add nlsht0 type bridge && test -f {probe} && exec "$@"'
        inside = self.client("popen", "ip test devices nlsht0",
                             wrap=("unshare", "-n", "sh", "-c", setup, "sh"))
        self.assertIn(inside.out, (b"0\n", b"1\n"), inside.err)
        self.assertEqual(self.client("popen", "ip test devices nlsht0").out, b"none\n")

    def test_served_namespace_dies_with_its_last_process(self):
        self.start()
        # The veth's near end goes when the namespace of its far end does.
        script = """unshare -n sleep 30 & there=$!
            until [ $(readlink /proc/$there/ns/net) != $(readlink /proc/$$/ns/net) ]; do :; done
            ip link add nlsht1 type veth peer name nlsht2 netns $there
            nsenter -t $there -n "$@"; kill $there
            for i in $(seq 200); do ip link show nlsht1 >/dev/null 2>&1 || exit 0; sleep 0.02; done
            exit 1"""
        result = self.client("system", "ip test mtu",
                             wrap=("unshare", "-n", "sh", "-c", script, "sh"))
        self.assertEqual((result.seen["system"], result.code), (0, 0), result.err)
        self.assertEqual(self.traced()[0][1], "native")


class HandedOver(PreloadTest):
    def test_no_server(self):
        self.assertEqual(self.client("popen", "echo ip; exit 3").seen["status"], 3 << 8)
        self.assertEqual(self.client("system", "exit 3; ip").seen["system"], 3 << 8)
        self.assert_handed_over("no server")

    def test_declined(self):
        self.start()
        result = self.client("popen", "echo ip; exit 3")
        self.assertEqual((result.out, result.seen["status"]), (b"ip\n", 3 << 8))
        self.assert_handed_over("not a test")

    def test_what_may_be_ours(self):
        for line in (": /sbin/ip", ': "$(: ip)"', ":;bridge -V >/dev/null", ": ip;", ": sysctl",
                     ": /proc/sys/net/x", "! ip -V >/dev/null"):
            self.client("system", line)
        self.assert_handed_over("no server")

    def test_what_is_not_ours(self):
        self.start()
        for line in (": tip zip bridges ips", ": ip-x x-ip", "", ": bridge.sh /proc/system"):
            self.client("popen", line)
        self.assert_handed_over("no ip or bridge")

    def test_variables_decline(self):
        self.start()
        self.client("system", "ip test status 0", HZ="100")
        self.assert_handed_over("variable HZ")

    def test_privilege(self):
        self.start()
        for option in ("nobody", "euid"):
            ours = self.client("system", "ip test status 3", option).seen
            libc = self.client("system", "ip test status 3", option, preload=False).seen
            self.assertEqual(ours, libc)
        self.client("system", "ip test status 0",
                    wrap=("setpriv", "--bounding-set=-net_admin", "--"))
        self.assert_handed_over("exec loses CAP_NET_ADMIN")

    def test_another_mount_namespace_or_root(self):
        self.start()
        other_files = f'mount -t tmpfs none {NAMES} && exec "$@"'
        self.client("system", "ip test status 0", wrap=("unshare", "-m", "sh", "-c", other_files, "sh"))
        self.client("system", "ip test status 0", wrap=("unshare", "-U", "-r"))
        for _, how, _, why in self.traced():
            self.assertEqual(how, "handed-over")
            self.assertRegex(why, "another mount|not root|no server")

    def test_no_descriptors_left(self):
        self.start()
        for command in ("ip test out 20", "echo ip"):
            ours = self.client("popen", command, "few-files").seen
            libc = self.client("popen", command, "few-files", preload=False).seen
            self.assertEqual(ours, libc)

    def test_more_streams_than_slots(self):
        self.start()
        self.assertEqual(self.client("many", "true ip").seen, {"opened": 100, "good": 100})

    def test_disabled(self):
        self.start()
        self.client("system", "ip test status 0", NLSH_DISABLE="1")
        self.assert_handed_over("disabled")


class Failures(PreloadTest):
    def test_stopped_server(self):
        server = self.start()
        self.stop(server)
        started = time.monotonic()
        result = self.client("popen", "echo ip", NLSH_TIMEOUT_MS="300")
        self.assertEqual((result.out, result.seen["status"]), (b"ip\n", 0))
        self.assertGreater(time.monotonic() - started, 0.3)
        self.assert_handed_over("server doesn't answer")
        # What it finds when it goes on has been withdrawn.
        server.send_signal(signal.SIGCONT)
        self.assertEqual(self.client("system", "ip test status 3").seen["system"], 3 << 8)

    def run_program(self, text, **more):
        """A Python program's standard output; system() is the preload's."""
        prelude = "import ctypes, os, subprocess, sys, threading, time\nlibc = ctypes.CDLL(None)\nsystem = lambda line: libc.system(line.encode())\n"
        done = subprocess.run([sys.executable, "-c", prelude + text], env=self.environment(**more), capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_stopped_server_costs_its_time_once(self):
        server = self.start()
        self.stop(server)
        output = self.run_program("""
start = time.monotonic()
for i in range(8): system("exit 3; ip")
print(time.monotonic() - start)
""", NLSH_TIMEOUT_MS="3000")
        self.assertLess(float(output), 6)
        self.assert_handed_over("server doesn't answer")
        server.send_signal(signal.SIGCONT)
        output = self.run_program("""
import signal
server, trace = %d, %r
os.kill(server, signal.SIGSTOP)
while {open(f"/proc/{server}/task/{task}/stat").read().rsplit(")", 1)[1].split()[0] for task in os.listdir(f"/proc/{server}/task")} != {"T"}: pass
system("exit 3; ip")
os.kill(server, signal.SIGCONT)
while system("ip test status 3") != 3 << 8 or "native" not in open(trace).read(): pass  # not for ever
""" % (server.pid, self.trace), NLSH_TIMEOUT_MS="100")

    def test_another_users_server_is_not_believed(self):
        os.chmod(self.directory, 0o777)
        program = f"""
import os, socket
os.setresuid(65534, 65534, 65534)
listeners = []
for cpu in range({os.cpu_count()}):
    listeners.append(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
    listeners[-1].bind({self.prefix!r} + "." + str(cpu))
    listeners[-1].listen()
print(flush=True)
while True: listeners[0].accept()
"""
        server = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        server.stdout.readline()
        self.assertEqual(self.client("system", "exit 3; ip").seen["system"], 3 << 8)
        self.assertEqual(self.client("popen", "echo ip; exit 4").seen["status"], 4 << 8)
        self.assert_handed_over("the server is another user's")

    def test_all_descriptors_closed_in_mid_call(self):
        """By another thread; the call that waits ends as libc's would."""
        self.start()
        output = self.run_program("""
def close_all():
    while True:
        with open(f"/proc/self/task/{caller}/syscall") as file:
            if file.read().startswith("%d "): break  # recvmsg
    os.closerange(3, 1000)
caller = threading.get_native_id()
for i in range(3):  # a fresh connection, and a kept one
    thread = threading.Thread(target=close_all)
    thread.start()
    print(system("ip test sleep 900") )
    thread.join()
""" % {"x86_64": 47, "aarch64": 212}[os.uname().machine], NLSH_TRACE="")
        self.assertEqual(output, "0\n0\n0\n")

    def test_exported_functions(self):
        """bash would run them in the place of commands."""
        self.start()
        self.client("system", "bash -c 'ip test status 3' || :", **{"BASH_FUNC_ip%%": "() { exit 5; }"})
        self.assert_handed_over("a function is exported")
        os.unlink(self.trace)
        self.client("system", "ip test status 3", **{"BASH_FUNC_which%%": "() { exit 5; }"})
        self.assertEqual(self.traced()[0][1], "native")

    def test_slow_command_is_waited_for(self):
        self.start()
        result = self.client("system", "ip test sleep 900", NLSH_TIMEOUT_MS="100")
        self.assertEqual(result.seen["system"], 0)
        self.assertEqual(self.traced()[0][1], "native")

    def test_server_dies_meanwhile(self):
        for how, name in (("system", "system"), ("popen", "status")):
            server = self.start()
            self.assertEqual(self.client(how, "ip test die").seen[name], CUT_OFF)
            server.wait(LIMIT)
        # Its sockets are left: connecting is refused, the real one runs.
        self.assertEqual(self.client("system", "exit 3; ip").seen["system"], 3 << 8)
        # And the next server takes their place.
        self.start()
        self.assertEqual(self.client("system", "ip test status 4").seen["system"], 4 << 8)

    def test_server_dies_before_it_reads(self):
        server = self.start()
        self.stop(server)
        client = subprocess.Popen([CLIENT, "popen", "echo ip"], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, env=self.environment())
        self.wait_until_it_waits(client)
        server.kill()
        out, _ = client.communicate(timeout=LIMIT)
        self.assertEqual(out, b"ip\n")
        self.assert_handed_over("server died before")

    def test_second_server_is_refused(self):
        first = self.start()
        second = subprocess.run([SERVER, self.prefix], capture_output=True, timeout=LIMIT)
        self.assertEqual(second.returncode, 1)
        self.assertIn(b"a server runs already", second.stderr)
        self.assertEqual(self.client("system", "ip test status 3").seen["system"], 3 << 8)
        first.terminate()
        self.assertEqual(first.wait(LIMIT), 0)
        self.assertFalse([f for f in os.listdir(self.directory) if f[-1].isdigit()])

    def test_finishes_what_runs(self):
        server = self.start()
        client = subprocess.Popen([CLIENT, "system", "ip test sleep 700"], env=self.environment(),
                                  stderr=subprocess.DEVNULL)
        self.wait_until_it_waits(client)
        time.sleep(0.3)  # the server has read it
        server.terminate()
        self.assertEqual(server.wait(LIMIT), 0)
        client.wait(LIMIT)
        self.assertEqual(self.traced(), [("system", "native", "0", "")])

    def test_hostile_frames(self):
        server = self.start()
        header = struct.Struct("=IHBBII")
        frames = [b"", b"x", b"\0" * 16, header.pack(0x68736C6E, 1, 1, 0, 0xFFFFFFFF, 0),
                  header.pack(0x68736C6E, 1, 9, 0, 2, 0) + b"ip",
                  header.pack(0x68736C6E, 2, 1, 0, 2, 0) + b"ip", b"x" * 150_000]
        for frame in frames:
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as peer:
                peer.settimeout(LIMIT)
                peer.connect(self.prefix + ".0")
                peer.send(frame)
                answer = peer.recv(8192)
                if frame:
                    self.assertEqual(answer[6], 1, frame[:20])
        # A client that asks for a stream and sends no descriptors, and many that send nothing.
        with contextlib.ExitStack() as silent:
            for _ in range(40):
                peer = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                silent.enter_context(peer).connect(self.prefix + ".0")
            status = self.client("system", "ip test status 3").seen["system"]
            self.assertEqual(status, 3 << 8)
        self.assertIsNone(server.poll())


if __name__ == "__main__":
    if os.geteuid() != 0:
        print("needs root")
        sys.exit(77)
    unittest.main(verbosity=1)
