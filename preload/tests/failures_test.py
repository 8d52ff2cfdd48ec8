#!/usr/bin/env python3
"""The preload where something fails: servers that are stopped, die, refuse or lie. Argument: the build directory."""

import contextlib
import os
import signal
import socket
import struct
import subprocess
import sys
import time

import preload_case
from nlsh_test.processes import started
from preload_case import CLIENT, CUT_OFF, LIMIT, SERVER, PreloadTest


class Failures(PreloadTest):
    def test_stopped_server(self):
        server = self.start()
        self.stop(server)
        started = time.monotonic()
        result = self.client("popen", "echo ip", NLSH_TIMEOUT_MS="300")
        self.assertEqual((result.out, result.seen["status"]), (b"ip\n", 0))
        self.assertGreater(time.monotonic() - started, 0.3)
        self.assert_fallback("server doesn't answer")
        # What it finds when it goes on has been withdrawn.
        server.send_signal(signal.SIGCONT)
        self.assertEqual(self.client("system", "ip test status 3").seen["system"], 3 << 8)

    def run_program(self, text, **more):
        """A Python program's standard output; system() is the preload's."""
        prelude = "import ctypes, os, subprocess, sys, threading, time\nlibc = ctypes.CDLL(None)\nsystem = lambda line: libc.system(line.encode())\n"
        done = subprocess.run(
            [sys.executable, "-c", prelude + text], env=self.environment(**more), capture_output=True, text=True, timeout=LIMIT
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_stopped_server_costs_its_time_once(self):
        server = self.start()
        self.stop(server)
        output = self.run_program(
            """
start = time.monotonic()
for i in range(8): system("exit 3; ip")
print(time.monotonic() - start)
""",
            NLSH_TIMEOUT_MS="3000",
        )
        self.assertLess(float(output), 6)
        self.assert_fallback("server doesn't answer")
        server.send_signal(signal.SIGCONT)
        output = self.run_program(
            """
import signal
server, trace = %d, %r
os.kill(server, signal.SIGSTOP)
while {open(f"/proc/{server}/task/{task}/stat").read().rsplit(")", 1)[1].split()[0] for task in os.listdir(f"/proc/{server}/task")} != {"T"}: pass
system("exit 3; ip")
os.kill(server, signal.SIGCONT)
while system("ip test status 3") != 3 << 8 or "native" not in open(trace).read(): pass  # not for ever
"""
            % (server.pid, self.trace),
            NLSH_TIMEOUT_MS="100",
        )

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
        server = started(self, [sys.executable, "-c", program], stdout=subprocess.PIPE)
        server.stdout.readline()
        self.assertEqual(self.client("system", "exit 3; ip").seen["system"], 3 << 8)
        self.assertEqual(self.client("popen", "echo ip; exit 4").seen["status"], 4 << 8)
        self.assert_fallback("the server is another user's")

    def test_a_server_that_asks_again_and_again(self):
        """For the caller's netlink socket and its descriptors: the client sends each of them once, then the line falls back."""
        reply = struct.pack("=IHBBiHH", 0x68736C6E, 2, 1, 32 | 128, 0, 0, 0)  # DECLINED, PASS_SOCKET, PASS_STREAMS
        counts = []

        def receive(peer):
            descriptors = socket.recv_fds(peer, 4096, 8)[1]
            counts.append(len(descriptors))
            for each in descriptors:
                os.close(each)

        with self.fake_server(reply, receive=receive):
            self.assertEqual(self.client("popen", "echo ip; exit 4").seen["status"], 4 << 8)
            self.assertEqual(self.client("system", "exit 3; ip").seen["system"], 3 << 8)
        self.assertEqual(counts, [0, 1, 3, 0, 1, 3])
        self.assert_fallback("declined")

    def test_all_descriptors_closed_in_mid_call(self):
        """By another thread; the call that waits ends as libc's would."""
        self.start()
        output = self.run_program(
            """
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
"""
            % {"x86_64": 47, "aarch64": 212}[os.uname().machine],
            NLSH_TRACE="",
        )
        self.assertEqual(output, "0\n0\n0\n")

    def test_exported_functions(self):
        """bash would run them in the place of commands."""
        self.start()
        self.client("system", "bash -c 'ip test status 3' || :", **{"BASH_FUNC_ip%%": "() { exit 5; }"})
        self.assert_fallback("a function is exported")
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
        client = subprocess.Popen([CLIENT, "popen", "echo ip"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.environment())
        self.wait_until_it_waits(client)
        server.kill()
        out, _ = client.communicate(timeout=LIMIT)
        self.assertEqual(out, b"ip\n")
        self.assert_fallback("server died before")

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
        client = subprocess.Popen([CLIENT, "system", "ip test sleep 700"], env=self.environment(), stderr=subprocess.DEVNULL)
        self.wait_until_it_waits(client)
        time.sleep(0.3)  # the server has read it
        server.terminate()
        self.assertEqual(server.wait(LIMIT), 0)
        client.wait(LIMIT)
        self.assertEqual(self.traced(), [("system", "native", "0", "")])

    def test_hostile_frames(self):
        server = self.start()
        header = struct.Struct("=IHBBIIIIQ")
        frames = [
            b"",
            b"x",
            b"\0" * 16,
            header.pack(0x68736C6E, 2, 1, 0, 0, 0xFFFFFFFF, 0, 0, 0),
            header.pack(0x68736C6E, 2, 9, 0, 0, 2, 0, 0, 0) + b"ip",
            header.pack(0x68736C6E, 3, 1, 0, 0, 2, 0, 0, 0) + b"ip",
            b"x" * 150_000,
        ]
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
    preload_case.main()
