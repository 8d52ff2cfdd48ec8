"""The verdicts of `nlsh doctor PID` equal those of the process's own trace, in each environment.

A daemon (Lua under the preload) makes the calls that doctor tries, and writes a trace; then the test runs doctor from outside."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from nlsh_test.place import BUILD as BUILT
from nlsh_test.server import Server
from nlsh_test.trace import read as calls_of
from nlsh_test.waiting import wait_for

BUILD = Path(os.environ.get("BUILD", BUILT))
NLSH = str(BUILD / "nlsh")
DAEMON = """
os.execute("ip link show lo")
local pipe = io.popen("ip link show lo"); pipe:read("a"); pipe:close()
io.stdout:close()
io.read()
"""
# A filter that allows everything nlsh does, as a container engine's filter.
FILTER = [
    "python3",
    "-I",
    "-c",
    """
import ctypes, os, struct, sys
libc = ctypes.CDLL(None)
allow = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0x7fff0000))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", 1, ctypes.addressof(allow)))
assert libc.prctl(22, 2, program, 0, 0) == 0
os.execvp(sys.argv[1], sys.argv[1:])
""",
]
# How to start the daemon: words before its name, and more variables.
USER = ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups"]
NET_ADMIN = [*USER, "--inh-caps=+net_admin", "--ambient-caps=+net_admin"]
PLACES = {
    "root": ([], {}),
    "in process": ([], {"NLSH_ENGINE": "inproc"}),
    "switched off": ([], {"NLSH_DISABLE": "1"}),
    "no server": ([], {"NLSH_SOCKET": "/nonexistent/nlsh.sock"}),
    "a user": (USER, {}),
    "a user with NET_ADMIN": (NET_ADMIN, {}),
    "a user in process": (NET_ADMIN, {"NLSH_ENGINE": "inproc"}),
    "groups": (["setpriv", "--groups=4,20"], {}),
    "fewer capabilities": (["setpriv", "--bounding-set=-sys_admin,-sys_module"], {}),
    "no new privileges": (["setpriv", "--no-new-privs"], {}),
    "filtered": (FILTER, {}),
    "mount namespace": (["unshare", "-m"], {}),
    "network namespace": (["unshare", "-n"], {}),
    "pid namespace": (["unshare", "-p", "--fork", "--mount-proc", "--kill-child"], {}),
    "container": (["unshare", "-m", "-p", "-n", "-u", "-i", "--fork", "--mount-proc", "--kill-child", *NET_ADMIN], {}),
    "user namespace": (["unshare", "-U", "-r", "-n"], {}),
}


class Doctor(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="doctor.")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        os.chmod(cls.folder, 0o755)
        # Other users must be able to read these files.
        for name in ("libnlsh-preload.so", "libnlsh-engine.so", "nlsh", "nlsh-trial"):
            subprocess.run(["cp", BUILD / name, cls.folder], check=True)
        cls.socket = str(cls.folder / "nlsh.sock")
        cls.server = cls.enterClassContext(Server(cls.socket, "--log", "off", program=NLSH))
        wait_for(lambda: subprocess.run([NLSH, "stats", "--socket", cls.socket], capture_output=True).returncode == 0, 20)
        (cls.folder / "daemon.lua").write_text(DAEMON)

    def start(self, words: list[str], environment: dict, program=("lua5.4", "daemon.lua")) -> tuple[int, Path]:
        """Starts the daemon; returns the pid of the daemon itself, not of its starter, and its trace."""
        trace = self.folder / "trace"
        trace.write_text("")
        trace.chmod(0o666)
        environment = {"PATH": os.environ["PATH"], "NLSH_SOCKET": self.socket, "NLSH_TRACE": str(trace)} | environment
        # Only the daemon gets the preload.
        preload = ["env", f"LD_PRELOAD={self.folder}/libnlsh-preload.so"]
        started = subprocess.Popen(
            [*words, *preload, *program],
            env=environment,
            cwd=self.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.addCleanup(started.wait)
        self.addCleanup(started.stdin.close)
        self.addCleanup(started.terminate)
        return started.pid, trace

    @staticmethod
    def daemon(pid: int) -> int:
        """The pid of the daemon itself, not of its starter."""
        while Path(f"/proc/{pid}/comm").read_text() != "lua5.4\n":
            pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
        return pid

    def doctor(self, pid: int, *before: str) -> tuple[int, list[dict]]:
        done = subprocess.run(
            [*before, str(self.folder / "nlsh"), "doctor", "--json", "--socket", self.socket, str(pid)],
            capture_output=True,
            text=True,
            timeout=120,
        )
        return done.returncode, [check for check in json.loads(done.stdout) if check["name"].startswith("process")]

    def test_places(self):
        for place, (words, environment) in PLACES.items():
            with self.subTest(place=place):
                pid, trace = self.start(words, environment)
                wait_for(lambda trace=trace: calls_of(trace, "popen"), 20)
                own = {call.way: (call.fate, "" if call.native else call.reason) for call in calls_of(trace)}
                status, checks = self.doctor(self.daemon(pid))
                found = {}
                for check in checks:
                    function = check["name"].rpartition(", ")[2]
                    if function in ("popen", "system"):
                        verdict = "native" if check["found"].startswith("native") else "fallback"
                        found[function] = (verdict, check["advice"] if verdict != "native" else "")
                self.assertEqual({name: own[name][0] for name in found}, {name: verdict for name, (verdict, _) in found.items()}, checks)
                self.assertEqual(set(found), {"popen", "system"}, checks)
                for function, (_, advice) in found.items():
                    self.assertTrue(advice.startswith(own[function][1]), (own, checks))
                any_native = any(check["found"].startswith("native") for check in checks)
                self.assertEqual(status, 0 if any_native else 1, checks)

    def test_names_that_others_chose_are_escaped(self):
        name = "\x1b]0;owned\x07\x9b2J"
        subprocess.run(["cp", "/bin/sleep", self.folder / name], check=True)
        pid, _ = self.start([], {"NLSH_SOCKET": "/\x1b[2J\x9b"}, (f"./{name}", "60"))
        wait_for(lambda: Path(f"/proc/{pid}/comm").read_bytes().startswith(b"\x1b"), 20)
        for form in ([], ["--json"]):
            done = subprocess.run([NLSH, "doctor", *form, "--socket", self.socket, str(pid)], capture_output=True)
            self.assertIn(rb"x1b]0;owned", done.stdout)
            self.assertIsNone(re.search(rb"[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", done.stdout), done.stdout)

    def test_another_users_process(self):
        pid, _ = self.start([], {})
        status, checks = self.doctor(pid, *USER)
        self.assertEqual(status, 1)
        self.assertIn("run `nlsh doctor` as root", checks[0]["advice"])

    def test_as_a_user_from_here(self):
        done = subprocess.run(
            [*USER, str(self.folder / "nlsh"), "doctor", "--json", "--socket", self.socket],
            capture_output=True,
            text=True,
            env=os.environ | {"HOME": "/"},
        )
        calls = {check["name"].rpartition(", ")[2]: check for check in json.loads(done.stdout) if check["name"].startswith("calls")}
        self.assertEqual(set(calls), {"popen", "system", "exec", "nlsh -c"})
        self.assertTrue(calls["nlsh -c"]["found"].startswith("native"))
        any_native = any(check["found"].startswith("native") for name, check in calls.items() if name != "nlsh -c")
        self.assertEqual(done.returncode, 0 if any_native else 1, calls)

    def test_a_server_that_hangs(self):
        pid, _ = self.start([], {"NLSH_TIMEOUT_MS": "200"})
        self.server.send(signal.SIGSTOP)
        try:
            began = time.monotonic()
            done = subprocess.run([NLSH, "doctor", "--socket", self.socket, str(pid)], capture_output=True, text=True, timeout=120)
            self.assertIn("server doesn't answer", done.stdout)
            self.assertLess(time.monotonic() - began, 60)
        finally:
            self.server.send(signal.SIGCONT)

    def test_nothing_is_changed_and_left(self):
        pid, trace = self.start(["unshare", "-n"], {})
        wait_for(lambda: calls_of(trace, "popen"), 20)
        addresses = ["nsenter", "-t", str(pid), "-n", "ip", "-d", "addr"]
        before = subprocess.check_output(addresses)
        self.doctor(pid)
        self.assertEqual(before, subprocess.check_output(addresses))
        self.assertEqual(subprocess.run(["pgrep", "-x", "nlsh-trial"], capture_output=True).stdout, b"")


if __name__ == "__main__":
    unittest.main()
