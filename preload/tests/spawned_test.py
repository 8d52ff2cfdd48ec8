#!/usr/bin/env python3
"""Without a server: nlsh, spawned in the shell's place by popen and system. Each program runs with and without the preload,
and both must see the same. Argument: the build directory. Needs root."""

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "compat-tests"))
from nlsh_test import trace
from preload_case import PROGRAMS as BUILD  # takes the build directory from the arguments

LIMIT = 120

PRELUDE = """
import ctypes, os, resource, signal, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.popen.restype = ctypes.c_void_p
libc.pclose.argtypes = libc.fileno.argtypes = libc.fclose.argtypes = [ctypes.c_void_p]
def system(line):
    ctypes.set_errno(0)
    status = libc.system(line.encode())
    return status if status != -1 else os.strerror(ctypes.get_errno())
def opened(line, mode="r"):
    return libc.popen(line.encode(), mode.encode())
def popen(line):
    stream = opened(line)
    if not stream:
        return os.strerror(ctypes.get_errno())
    text = b""
    while piece := os.read(libc.fileno(stream), 65536):
        text += piece
    return text.decode(), libc.pclose(stream)
def both(line="ip link show lo"):
    show(system(line + " >/dev/null"), popen(line))
def show(*values):
    os.write(1, (repr(values) + "\\n").encode())
"""


class Spawned(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="nlsh-spawned-")
        os.chmod(self.directory, 0o755)
        self.addCleanup(shutil.rmtree, self.directory)
        self.trace = self.directory + "/trace"

    def run_program(self, program, preload, wrap=(), **more):
        environment = {
            **os.environ,
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "NLSH_SOCKET": self.directory + "/none",
            "NLSH_TRACE": self.trace,
            "DIRECTORY": self.directory,
            **more,
        }
        environment.pop("LD_PRELOAD", None)
        if preload:
            environment["LD_PRELOAD"] = BUILD + "/libnlsh-preload.so"
        done = subprocess.run(
            ["unshare", "-n", *wrap, sys.executable, "-c", PRELUDE + textwrap.dedent(program)],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIMIT,
            check=False,
        )
        return done.stdout.decode(), done.stderr.decode(), done.returncode

    def compare(self, program, ways=None, **more):
        """ways: the (function, verdict, way) of the calls, without what a shell execs; None: at least one is spawned."""
        plain = self.run_program(program, False, **more)
        open(self.trace, "w", encoding="utf-8").close()
        os.chmod(self.trace, 0o666)
        self.assertEqual(self.run_program(program, True, **more), plain)
        seen = [(call.way, call.fate, call.by.split(":")[0]) for call in trace.read(self.trace, "popen", "system")]
        if ways is None:
            self.assertIn("spawned", {way for *_, way in seen}, seen)
        else:
            self.assertEqual(seen, ways)
        return plain

    def test_trace_has_one_line_for_each_call(self):
        self.compare(
            """
            both()
            show(system("ip link show lo >/dev/null; nosuch"))
            show(system("ip xfrm state; true"))
        """,
            [
                ("system", "native", "spawned"),
                ("popen", "native", "spawned"),
                ("system", "fallback", "real"),
                ("system", "fallback", "real"),
            ],
        )

    def test_which_lines_are_spawned(self):
        """What nlsh would leave to the shell isn't: its explain says so for each."""

        def explained(line):
            return subprocess.run(
                [BUILD + "/nlsh", "explain", line], capture_output=True, text=True, timeout=LIMIT, check=False
            ).stdout.startswith("native")

        never = (
            "until ip link show lo; do true; done",
            "for i in 1 2; do nosuch; ip link show lo; done",
            "case x in x) ip link show lo;; esac",
            "ip xfrm state",
            "ip l2tp show tunnel",
            "ip macsec show",
            "ip mptcp limits",
            "ip fou show",
            "ip ila list",
            "ip ioam namespace show",
            "ip tcp_metrics show",
            "ip -V",
            "ip netns exec nosuch true",
            "true; nosuch; ip link show lo",
            "nosuch | ip link show lo",
            "nosuch; if ip link show lo; then true; fi",
            "ip link show lo | nosuch -n 1",
            "! nosuch; ip link show lo",
            "/usr/bin/nosuch && /sbin/ip link show lo",
        )
        often = (
            "for i in 1 2; do ip link show lo; done",
            "ip netns exec nosuch ip link show lo",
            "ip link show lo 2>&1 >/dev/null",
            "ip link show lo &>/dev/null",
            "ip -o link | grep lo | wc -l",
            "if ip link show nosuch; then true; else ip link show lo; fi",
            "x=lo; ip link show $x",
            'x=$(ip -o link show lo); [ -n "$x" ]',
            "! ip link show nosuch",
            "{ ip link show lo; }",
            "(ip link show lo)",
            "echo 'a; nosuch b'; ip link show lo",
            "/sbin/ip link show lo || exit 3",
            'bash -c "ip link show lo"',
        )
        self.assertEqual([line for line in never if explained(line)], [])
        self.compare(f"for line in {never!r}: show(system(line))", [("system", "fallback", "real")] * len(never))
        self.compare(
            f"for line in {often!r}: show(popen(line))",
            [("popen", "native" if explained(line) else "fallback", "spawned") for line in often],
        )

    def test_a_line_that_fell_back_is_the_shells_from_then_on(self):
        self.compare(
            """
            for i in range(3):
                show(system("ip link show lo 3>/dev/null >/dev/null 2>$HOME/../nosuch/x"))
        """,
            [("system", "fallback", "spawned"), ("system", "fallback", "real"), ("system", "fallback", "real")],
        )

    def test_any_user_and_filter(self):
        self.compare("both()", wrap=("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs"))
        self.compare("both('ip link add br0 type bridge')", wrap=("setpriv", "--reuid=65534", "--clear-groups"))
        self.compare(
            "both('ip link add br0 type bridge')",
            wrap=("setpriv", "--reuid=65534", "--clear-groups", "--inh-caps=+net_admin", "--ambient-caps=+net_admin"),
        )
        self.compare("both('ip link set lo up')", wrap=("setpriv", "--bounding-set=-net_admin"))

    def test_programs_that_are_not_to_be_trusted(self):
        nlsh = self.directory + "/nlsh"
        real = [("system", "fallback", "real"), ("popen", "fallback", "real")]
        self.compare("both()", real, NLSH_PROGRAM=nlsh)  # missing
        with open(nlsh, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho wrong\n")
        for mode, owner in ((0o775, 0), (0o757, 0), (0o755, 65534)):
            os.chmod(nlsh, mode)
            os.chown(nlsh, owner, -1)
            self.compare("both()", real, NLSH_PROGRAM=nlsh)
        self.compare("both()", real, NLSH_PROGRAM=os.path.relpath(BUILD + "/nlsh"))
        self.compare("both()", real, NLSH_PROGRAM=self.directory)
        os.chown(nlsh, 0, -1)
        os.chmod(nlsh, 0o644)  # can't be executed
        self.compare("both()", real, NLSH_PROGRAM=nlsh)
        shutil.copy(BUILD + "/nlsh", nlsh)
        os.chmod(nlsh, 0o755)
        os.chown(nlsh, 65534, -1)
        self.compare("both()", wrap=("setpriv", "--reuid=65534", "--clear-groups"), NLSH_PROGRAM=nlsh)  # its own

    def test_a_program_that_is_deleted(self):
        nlsh = self.directory + "/nlsh"
        shutil.copy(BUILD + "/nlsh", nlsh)
        os.chmod(nlsh, 0o755)
        self.compare(
            """
            both()
            if "LD_PRELOAD" in os.environ: os.unlink(os.environ["NLSH_PROGRAM"])
            both()
        """,
            [(call, how, way) for how, way in (("native", "spawned"), ("fallback", "real")) for call in ("system", "popen")],
            NLSH_PROGRAM=nlsh,
        )

    def test_switches(self):
        real = [("system", "fallback", "real"), ("popen", "fallback", "real")]
        self.compare("both()", real, NLSH_DISABLE="1")
        open(self.directory + "/disable", "w", encoding="utf-8").close()
        self.compare("both()", real)

    def test_limits(self):
        self.compare("""
            for limit in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
                if os.fork() == 0:
                    resource.setrlimit(limit, (100 << 20, 100 << 20))
                    both()
                    os._exit(0)
                os.wait()
            if os.fork() == 0:
                resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
                both()
                os._exit(0)
            os.wait()
            both()
        """)
        self.compare(
            "resource.setrlimit(resource.RLIMIT_NPROC, (1, 1)); both()",
            [("system", "fallback", "real"), ("popen", "fallback", "real")],
            wrap=("setpriv", "--reuid=65533", "--clear-groups", "--bounding-set=-all", "--inh-caps=-all"),
        )

    def test_huge_lines(self):
        self.compare("""
            for size in (4000, 5000, 131000, 131072, 200000, 3000000):
                show(size, system("ip link show lo >/dev/null; : " + "x" * size))
                show(size, popen("ip link show lo; : " + "x" * size))
        """)

    def test_closed_descriptors(self):
        self.compare("""
            keep = os.dup2(1, 50)
            def show(*values): os.write(50, (repr(values) + "\\n").encode())
            for closed in ((0,), (0, 1), (0, 1, 2), (1,), (2,)):
                if os.fork() == 0:
                    for number in closed: os.close(number)
                    stream = opened("ip -o link show lo")
                    show(closed, libc.fileno(stream), os.read(libc.fileno(stream), 9), libc.pclose(stream))
                    stream = opened("ip -batch -", "w")
                    show(closed, libc.fileno(stream), libc.pclose(stream))
                    os._exit(0)
                os.wait()
        """)

    def test_writing(self):
        self.compare("""
            for lines in (b"link set lo mtu 1500\\n", b"link set nosuch up\\n", b"", b"link show lo\\n" * 20):
                stream = opened("ip -batch - 2>&1", "w")
                os.write(libc.fileno(stream), lines)
                show(libc.pclose(stream))
            stream = opened("ip -V >/dev/null", "w")
            libc.fputs.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
            show(libc.fputs(b"x" * 100000, stream) >= 0)
            time.sleep(0.2)
            show(libc.pclose(stream))
        """)

    def test_streams_in_later_children(self):
        """libc's, ours and later ones; close-on-exec and not."""
        self.compare("""
            # SHOW: numbers of descriptors that a child has
            def child(): return sorted(set(popen("ls /proc/self/fd")[0].split()))
            first = opened("ip -o link show lo")
            libcs = opened("true")
            show(child())
            later = opened("ip -o link show lo", "re")
            show(child(), libc.fileno(first), libc.fileno(libcs), libc.fileno(later))
            show(system("ls /proc/self/fd | wc -l; ip link show lo >/dev/null"))
            show([libc.pclose(each) for each in (libcs, first, later)])
            many = [opened("ip -o link show lo") for i in range(70)]
            show([libc.fileno(each) for each in many], [libc.pclose(each) for each in many])
        """)

    def test_killed(self):
        """The child, and a list in it."""
        self.compare(
            """
            def killer(number):
                time.sleep(0.3)
                with open(f"/proc/self/task/{os.getpid()}/children") as file:
                    for child in file.read().split(): os.kill(int(child), number)
            for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGQUIT, signal.SIGPIPE):
                thread = threading.Thread(target=killer, args=[number]); thread.start()
                show(system("ip link show lo >/dev/null; ip netns exec nosuch true 2>/dev/null; sleep 1"))
                thread.join()
        """,
            ways=[("system", "fallback", "real")] * 4,
        )

    def test_a_reader_that_leaves(self):
        self.compare("""
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            line = "ip link show lo" + " && ip link show lo" * 900
            for text in (line[:4000].rsplit(" &&", 1)[0], "ip -s link show lo"):
                for how in (signal.SIG_DFL, signal.SIG_IGN):
                    signal.signal(signal.SIGPIPE, how)
                    read, write = os.pipe()
                    os.close(read)
                    kept = os.dup(1); os.dup2(write, 1); os.close(write)
                    status = system(text)
                    os.dup2(kept, 1)
                    show(how, status)
        """)

    def test_threads(self):
        """With libc's system() beside: dispositions are as they were, all statuses arrive."""
        self.compare("""
            signal.signal(signal.SIGQUIT, signal.SIG_IGN)
            bad = []
            def work(number):
                for i in range(25):
                    if system(("ip link show nosuch 2>/dev/null", "exit 3")[(i + number) % 2]) != (256, 768)[(i + number) % 2]: bad.append(i)
                    if popen("ip -o link show lo | wc -l") != ("1\\n", 0): bad.append(i)
            threads = [threading.Thread(target=work, args=[i]) for i in range(8)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            with open("/proc/self/status") as file:
                show(bad, [line for line in file if line.startswith(("SigIgn", "SigCgt", "SigBlk"))])
        """)

    def test_chroot(self):
        """There is no nlsh, and no sh."""
        self.compare("""
            both()
            os.chroot(os.environ["DIRECTORY"])
            os.chdir("/")
            both()
        """)

    def test_engine_is_never_loaded_late(self):
        """A program that imports neither function finds them by dlsym: its calls are spawned. One that imports system has loaded
        the engine at its start. Both call from the child of a fork of a process whose other thread is in the dynamic linker, from a
        vfork's child and from a handler in the midst of malloc: where a load would hang."""
        for program, way, loaded in (("late", "spawned", "not loaded"), ("late_importing", "inproc", "loaded")):
            with self.subTest(way):
                program = f"{BUILD}/preload/tests/preload_{program}"
                self.compare(
                    f"import subprocess; show(subprocess.run([{program!r}], capture_output=True).stdout)",
                    [("system", "native", way)] * 60,
                    NLSH_ENGINE="inproc",
                )
                done = self.run_program(f"os.execv({program!r}, [{program!r}])", True, NLSH_ENGINE="inproc")
                self.assertEqual(done, ("bad 0\n", loaded + "\n", 0))


if __name__ == "__main__":
    unittest.main()
