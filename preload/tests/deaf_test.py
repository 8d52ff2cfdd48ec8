#!/usr/bin/env python3
"""A server that doesn't answer must not make a process deaf that is about to become ip: it ends of a signal as ip would, at
once, whatever handlers the program has. Argument: the build directory. Needs root."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time

import preload_case
from nlsh_test.processes import started

# argv: the way, the signal's disposition, the file, what follows. Prints the child's wait status, or what the exec failed with.
CALLER = """
import ctypes, os, signal, sys
way, disposition, file, *words = sys.argv[1:]
words = [os.path.basename(file), *words]
libc = ctypes.CDLL(None)
def handler(number, frame):
    os.write(1, b"handler\\n")
def signals():
    with open("/proc/thread-self/status") as status:
        return [line for line in status if line.startswith(("SigBlk", "SigIgn", "SigCgt"))]
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
    if disposition == "handler": signal.signal(number, handler)
    if disposition == "ignored": signal.signal(number, signal.SIG_IGN)
    if disposition == "default": signal.signal(number, signal.SIG_DFL)
    if disposition == "blocked": signal.pthread_sigmask(signal.SIG_BLOCK, [number])
def become():
    before = signals()
    os.write(1, f"child {os.getpid()}\\n".encode())
    try:
        os.execv(file, words)
    except OSError as error:
        os.write(1, f"{error} {signals() == before}\\n".encode())
    os._exit(9)
if way == "itself":
    become()
if way == "fork":
    child = os.fork()
    if child == 0: become()
if way == "spawn":
    os.write(1, f"parent {os.getpid()}\\n".encode())
    child = os.posix_spawn(file, words, os.environ)
print(os.waitpid(child, 0)[1], flush=True)
"""
REAL = "/usr/sbin/ip"
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1)


class Deaf(preload_case.PreloadTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.directory + "/bin")
        self.script = self.directory + "/bin/ip"  # whose exec isn't certain
        with open(self.script, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexit 5\n")
        os.chmod(self.script, 0o755)
        self.server = self.start()

    def begin(self, way, disposition, file, *words, **more):
        caller = started(
            self,
            [sys.executable, "-c", textwrap.dedent(CALLER), way, disposition, file, *words],
            env=self.environment(True, **more),
            stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        name, number = caller.stdout.readline().split()
        if name == "parent":
            found = []

            def children():
                with open(f"/proc/{number}/task/{number}/children", encoding="utf-8") as file_:
                    found[:] = file_.read().split()
                return found

            self.wait_for(children)
            number = found[0]
        return caller, int(number)

    def wait_until_open(self, number):
        """Longer than an answer takes; then signals are let in."""
        time.sleep(0.05)
        self.wait_for(lambda: "SigBlk:\tffffffff" not in self.status(number) and "SigBlk:\tffff" not in self.status(number))

    @staticmethod
    def status(number):
        with open(f"/proc/{number}/status", encoding="utf-8") as file:
            return file.read()

    def check(self, way, file, *words, prepare):
        for number in SIGNALS:
            for disposition in ("handler", "default"):
                prepare()
                with self.subTest(way=way, file=file, number=number, disposition=disposition):
                    caller, child = self.begin(way, disposition, file, *words)
                    self.wait_until_open(child)
                    start = time.monotonic()
                    os.kill(child, number)
                    if way == "itself":
                        self.assertEqual(caller.wait(5), -number)
                    else:
                        self.assertEqual(caller.communicate(timeout=5)[0], f"{int(number)}\n")
                    self.assertLess(time.monotonic() - start, 5)

    def start_anew(self):
        self.server.kill()
        self.server.wait()
        self.server = self.start()

    def test_server_that_reads_nothing(self):
        self.stop(self.server)
        for way in ("fork", "spawn", "itself"):
            self.check(way, REAL, "link", "show", "lo", prepare=lambda: None)
            self.check(way, self.script, "link", "show", "lo", prepare=lambda: None)

    def test_server_that_has_read(self):
        """It has the request, and the process must not fall back."""
        for way in ("fork", "spawn", "itself"):
            self.check(way, self.script, "test", "sleep", "30000", prepare=self.start_anew)

    def test_signals_that_are_not_let_in(self):
        """Ignored or blocked by the caller: the process goes on, and falls back."""
        self.stop(self.server)
        for file, status in ((REAL, 0), (self.script, 5 << 8)):
            for disposition in ("ignored", "blocked"):
                for way in ("fork", "spawn"):
                    caller, child = self.begin(way, disposition, file, "link", "show", "lo", NLSH_TIMEOUT_MS="400")
                    time.sleep(0.1)
                    for number in SIGNALS:
                        os.kill(child, number)
                    self.assertEqual(caller.communicate(timeout=30)[0].splitlines()[-1], str(status), (file, disposition, way))

    def test_exec_that_fails_after_all(self):
        """The caller finds its handlers and its mask."""
        with open(self.script, "w", encoding="utf-8") as file:
            file.write("#!/nonexistent/interpreter\n")
        self.stop(self.server)
        for disposition in ("handler", "default", "ignored", "blocked"):
            for way in ("fork", "itself"):
                caller, _ = self.begin(way, disposition, self.script, "link", NLSH_TIMEOUT_MS="100")
                text = caller.communicate(timeout=30)[0].splitlines()
                self.assertEqual(text[0], "[Errno 2] No such file or directory True", (disposition, way))

    def test_netns_that_is_a_fifo(self):
        """`ip netns exec` opens what a name leads to."""
        real = shutil.which("nlsh", path=preload_case.BUILD)
        self.server_command = [real, "serve", "--socket"]
        self.start(self.directory + "/real")
        os.makedirs("/run/netns", exist_ok=True)
        fifo = f"/run/netns/nlsh-deaf-{os.getpid()}"
        os.mkfifo(fifo)
        self.addCleanup(os.unlink, fifo)
        caller, child = self.begin(
            "fork", "handler", REAL, "netns", "exec", os.path.basename(fifo), "true", NLSH_SOCKET=self.directory + "/real"
        )
        time.sleep(0.2)
        os.kill(child, signal.SIGTERM)  # the real ip waits for a writer
        self.assertEqual(caller.communicate(timeout=5)[0], f"{int(signal.SIGTERM)}\n")


if __name__ == "__main__":
    preload_case.main()
