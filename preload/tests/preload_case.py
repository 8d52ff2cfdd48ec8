"""A test of the preload against a server whose engine knows `ip test …` only. Argument: the build directory.

Each test gets a server of its own in a new directory, runs in a new network namespace, and has a time
limit for each process it starts. Needs root."""

import atexit
import contextlib
import glob
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "compat-tests"))
from nlsh_test import trace, waiting
from nlsh_test.processes import NOBODY
from nlsh_test.server import stop, thread_states

BUILD = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "build/release"


def for_everybody(build):
    """The folder with nlsh, its libraries and the tests' programs, or a copy where other users can't read it: in a checkout below /root."""
    if os.geteuid() != 0 or subprocess.run([*NOBODY, "test", "-r", build], check=False).returncode == 0:
        return build
    directory = tempfile.mkdtemp(prefix="nlsh-preload-copy.")
    atexit.register(shutil.rmtree, directory)
    os.chmod(directory, 0o755)
    for file in *Path(build).glob("*nlsh*"), *Path(build, "preload/tests").glob("*"):
        if file.is_file():
            copy = Path(directory, file.relative_to(build))
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
    return directory


PROGRAMS = for_everybody(BUILD)
PRELOAD = os.path.join(PROGRAMS, "libnlsh-preload.so")
# In a chroot whose root is no mount point, unshare(1) can't make a mount namespace private.
needs_mounts = unittest.skipIf(
    os.geteuid() == 0 and subprocess.run(["unshare", "-m", "true"], check=False, stderr=subprocess.DEVNULL).returncode != 0,
    "the root is no mount point: no mount namespace of a test's own",
)
SERVER = os.path.join(PROGRAMS, "preload/tests/nlsh_test_server")
CLIENT = os.path.join(BUILD, "preload/tests/preload_client")
CUT_OFF = 137 << 8
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
    program = "none"  # the nlsh that is spawned where no server serves; none: the line is libc's

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

    @contextlib.contextmanager
    def fake_server(self, *answers, receive=lambda peer: peer.recv(200000)):
        """Takes each request by `receive`, sends these messages and closes."""
        listeners = []
        for processor in range(os.cpu_count()):
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            listener.bind(f"{self.prefix}.{processor}")
            listener.listen(100)
            listeners.append(listener)

        def serve(listener):
            with contextlib.suppress(OSError):
                while True:
                    peer, _ = listener.accept()
                    with peer:
                        receive(peer)
                        for answer in answers:
                            peer.send(answer)

        threads = [threading.Thread(target=serve, args=(listener,)) for listener in listeners]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            for listener in listeners:
                listener.shutdown(socket.SHUT_RDWR)
                listener.close()
            for path in glob.glob(self.prefix + ".*"):
                os.unlink(path)
            for thread in threads:
                thread.join(LIMIT)

    def wait_for(self, condition):
        waiting.wait_for(condition, LIMIT)

    @staticmethod
    def listening(prefix):
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as probe:
            return probe.connect_ex(f"{prefix}.{os.cpu_count() - 1}") == 0

    def stop(self, server):
        stop(server)

    def wait_until_it_waits(self, client):
        """For its answer: it sleeps, and has a socket."""
        self.wait_for(lambda: thread_states(client.pid) == {"S"} and self.has_socket(client.pid))

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
        variables = {
            **os.environ,
            "NLSH_SOCKET": self.prefix,
            "NLSH_TRACE": self.trace,
            "NLSH_TIMEOUT_MS": "20000",
            "NLSH_PROGRAM": self.program,
            **more,
        }
        if preload:
            variables["LD_PRELOAD"] = PRELOAD
        return variables

    def client(self, how, command, *options, preload=True, wrap=(), stdout=subprocess.PIPE, **more):
        read_end, write_end = os.pipe()
        arguments = ["bash", "-c", 'exec 3>&"$0"; exec "$@"', str(write_end), *wrap, CLIENT, how, command, *options]
        process = subprocess.Popen(
            arguments, env=self.environment(preload, **more), pass_fds=[write_end], stdout=stdout, stderr=subprocess.PIPE
        )
        os.close(write_end)
        try:
            process.stdout_, process.stderr_ = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            shown = subprocess.run(
                ["ps", "-e", "-o", "pid,ppid,stat,wchan:24,args", "--forest"], capture_output=True, text=True, check=False
            )
            process.kill()
            process.communicate()
            raise AssertionError("no end within the limit\n" + shown.stdout) from None
        with os.fdopen(read_end) as reports:
            text = reports.read()
        process.stdout, process.stderr = process.stdout_, process.stderr_
        return Result(process, text)

    def traced(self, *ways):
        """(way, native or fallback, status, reason) of each call so far, by popen and system if no ways are named:
        what the shell of a fallback execs is traced, too."""
        return [(call.way, call.fate, call.status, call.reason) for call in trace.read(self.trace, *(ways or ("popen", "system")))]

    def assert_fallback(self, reason):
        for way, how, _, why in self.traced():
            self.assertEqual((how, why), ("fallback", reason), way)


def main():
    if os.geteuid() != 0:
        print("needs root")
        sys.exit(77)
    unittest.main(verbosity=1)
