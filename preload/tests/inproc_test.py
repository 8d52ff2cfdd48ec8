#!/usr/bin/env python3
"""NLSH_ENGINE=inproc: the real engine in a program's own process, against real kernel state. Argument: the build
directory. Each program runs in a new network namespace and has a time limit. Needs root."""

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
from nlsh_test.place import CALLS

BUILD = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else os.path.abspath("build/release")
LIMIT = 120  # on a machine that compiles beside

# What the programs below share. ctypes calls libc's popen and system as C programs do.
PRELUDE = f"""{CALLS}
import signal, sys, threading
def check(got, wanted):
    if got != wanted:
        sys.exit(f"got {{got!r}}, wanted {{wanted!r}}")
"""


class InProcess(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="nlsh-inproc-")
        self.addCleanup(shutil.rmtree, self.directory)
        self.trace = self.directory + "/trace"

    def run_program(self, program, native=None, wrap=(), **variables):
        """native: how many calls must have been; None: all. wrap: a command that runs the program."""
        environment = dict(
            os.environ,
            LD_PRELOAD=BUILD + "/libnlsh-preload.so",
            NLSH_ENGINE="inproc",
            NLSH_SOCKET=self.directory + "/none",
            NLSH_TRACE=self.trace,
            **variables,
        )
        done = subprocess.run(
            ["unshare", "-m", "-n", *wrap, sys.executable, "-c", PRELUDE + textwrap.dedent(program)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=LIMIT,
        )
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        calls = trace.read(self.trace)
        fallback = [call for call in calls if not call.native]
        if native is None:
            self.assertEqual(fallback, [])
        else:
            self.assertEqual(len(calls) - len(fallback), native, calls)
        return done

    def test_change_and_show(self):
        done = self.run_program("""
            check(system("ip link add br0 type bridge && ip link set br0 mtu 1400"), 0)
            text, status = popen("ip -o link show br0")
            check(("mtu 1400" in text, status), (True, 0))
            check(system("ip link show br0 >/dev/null"), 0)
            check(popen("ip link show nosuch"), ("", 256))
            check(system("ip link add br0 type bridge"), 512)
        """)
        self.assertEqual(done.stderr, 'Device "nosuch" does not exist.\nRTNETLINK answers: File exists\n')

    def test_namespace_of_the_calling_thread(self):
        self.run_program("""
            check(system("ip link add here type bridge"), 0)
            def elsewhere():
                check(libc.unshare(0x40000000), 0)
                check(system("ip link add there type bridge"), 0)
                check("here" in popen("ip -o link")[0], False)
            thread = threading.Thread(target=elsewhere)
            thread.start(); thread.join()
            check("there" in popen("ip -o link")[0], False)
            check(system("ip link del here"), 0)
        """)

    @unittest.skipUnless(shutil.which("strace"), "needs strace")
    def test_a_thread_that_could_not_come_back(self):
        """Whoever enters another namespace twice fails: the calling thread never leaves its own."""
        self.run_program(
            """
            check(os.system("mkdir -p /run/netns && mount -t tmpfs none /run/netns"), 0)
            check(system("ip link add br0 type bridge"), 0)
            check(system("ip netns add there"), 0)
            check(system("ip -n there link add br1 type bridge && ip -n there link set br1 up"), 0)
            check(popen("ip -n there -br link show br1")[0].split()[0], "br1")
            check(popen("ip -br link show br0")[0].split()[0], "br0")
        """,
            native=5,  # one of them by a spawned nlsh: it mounts
            wrap=("strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=setns", "-e", "inject=setns:error=ENOMEM:when=2+"),
        )

    def test_a_socket_is_kept_in_a_burst(self):
        self.run_program("""
            import time
            def kept():
                links = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if int(fd) > 100]
                return sum(link.startswith("socket:") for link in links), sum("/ns/net" in link or link.startswith("net:") for link in links)
            fill = os.dup2(0, 100)  # the first high number: what is kept is counted from 101 on
            check(system("ip link add br0 type bridge"), 0)
            check(kept(), (0, 0))  # a call by itself leaves nothing behind
            for i in range(5):
                check(system(f"ip link set br0 mtu {1400 + i}"), 0)
            check(kept(), (1, 1))
            child = os.fork()
            if child == 0:
                os._exit(system("ip link set br0 mtu 1300") >> 8)
            check(os.waitpid(child, 0)[1], 0)
            check(system("ip link set br0 nosuch 1"), 65280)  # an error is an answer, too
            check(kept(), (1, 1))
            time.sleep(0.2)
            check(system("ip link set br0 mtu 1500"), 0)
            check(kept(), (0, 0))  # the burst is over
        """)

    def test_a_kept_socket_lends_no_rights(self):
        """The kernel asks for the capability of who sends, not only of who opened the socket."""
        self.run_program("""
            import socket, struct
            for i in range(5):
                check(system("ip link set lo mtu 60000"), 0)
            links = {int(fd): os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")}
            kept, = [fd for fd, link in links.items() if fd >= 100 and "socket:" in link]
            netlink = socket.socket(fileno=kept)
            def ask():  # RTM_NEWLINK of lo, IFLA_MTU; the answer is an NLMSG_ERROR
                netlink.send(struct.pack("=IHHII BxHiIIHHI", 40, 16, 5, 7, 0, 0, 0, 1, 0, 0, 8, 4, 61000))
                return struct.unpack_from("=i", netlink.recv(4096), 16)[0]
            check(ask(), 0)
            os.seteuid(65534)
            check(ask(), -1)
        """)

    def test_a_thread_that_moves_within_a_burst(self):
        self.run_program("""
            spaces = []
            for name in ("one", "two"):
                check(libc.unshare(0x40000000), 0)
                spaces.append(os.open("/proc/thread-self/ns/net", os.O_RDONLY))
                check(system(f"ip link add {name} type bridge"), 0)
            def work():
                for i in range(40):
                    check(libc.setns(spaces[i % 2], 0x40000000), 0)
                    for k in range(2):
                        check("one" in popen("ip -o link show type bridge")[0], i % 2 == 0)
                        check(system(f"ip link set {['one', 'two'][i % 2]} mtu {1400 + i}"), 0)
            for threads in ([threading.Thread(target=work) for _ in range(6)], [threading.Thread(target=work)]):
                for thread in threads: thread.start()
                for thread in threads: thread.join()
            work()
        """)

    def test_fork(self):
        self.run_program("""
            check(system("ip link add br0 type bridge"), 0)
            for i in range(20):  # beyond the calls that do without a watch
                child = os.fork()
                if child == 0:
                    os._exit(system(f"ip link set br0 mtu {1400 + i}") >> 8)
                check(os.waitpid(child, 0)[1], 0)
                check(f"mtu {1400 + i}" in popen("ip link show br0")[0], True)
        """)

    def test_stolen_descriptors(self):
        self.run_program("""
            check(system("ip link add br0 type bridge"), 0)
            for i in range(30):
                libc.close_range(3, 1023, 0)
                files = [os.open("/etc/passwd", os.O_RDONLY) for _ in range(120)]
                check(system(f"ip link set br0 mtu {1300 + i}"), 0)
                for file in files:
                    check(os.read(file, 4), b"root")
                    os.close(file)
        """)

    def test_no_descriptor_stays_below_100(self):
        self.run_program("""
            before = os.listdir("/proc/self/fd")
            for i in range(30):
                check(system("ip link show lo >/dev/null"), 0)
                check(popen("ip link show lo")[1], 0)
            after = [fd for fd in os.listdir("/proc/self/fd") if int(fd) < 100]
            check(len(after), len(before))
        """)

    def test_threads(self):
        self.run_program("""
            def work(number):
                for i in range(50):
                    check(system(f"ip link add t{number} type bridge && ip link del t{number}"), 0)
            threads = [threading.Thread(target=work, args=[i]) for i in range(8)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            check(popen("ip -o link | wc -l"), ("1\\n", 0))
        """)

    def test_output_larger_than_a_pipe(self):
        self.run_program("""
            lines = "".join(f"link add a{i} type bridge\\n" for i in range(600))
            import subprocess
            subprocess.run(["ip", "-batch", "-"], input=lines.encode(), check=True)
            real = subprocess.run(["ip", "link"], capture_output=True, text=True).stdout
            check(len(real) > 65536, True)
            check(popen("ip link"), (real, 0))
            check(popen("ip link set lo mtu 65535 && ip link" + " && ip link" * 16)[0].count("a599"), 17)
        """)

    def test_pipe_without_reader(self):
        self.run_program(
            """
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            read, write = os.pipe()
            os.close(read)
            kept = os.dup(1)
            os.dup2(write, 1)
            status = system("ip link show lo")
            os.dup2(kept, 1)
            check(status, 141 << 8)
            check(system("ip link set lo up"), 0)
        """,
            native=1,
        )  # the first one is the real one's: it can't be written

    def test_signal_handler_calls_system(self):
        self.run_program("""
            source = r'''
            #include <pthread.h>
            #include <signal.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <sys/time.h>
            static volatile int calls, bad;
            static void handler(int unused) { (void)unused; calls++; if (system("ip link set lo up")) bad++; }
            int main(void) {
                if (system("ip link set lo up")) return 1;
                signal(SIGALRM, handler);
                struct itimerval each = {{0, 500}, {0, 500}};
                setitimer(ITIMER_REAL, &each, NULL);
                for (int i = 0; i < 3000; i++) if (system("ip link set lo up")) bad++;
                setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
                return bad ? 2 : calls == 0;
            }'''
            import subprocess
            program = os.path.dirname(os.environ["NLSH_TRACE"]) + "/handler"
            subprocess.run(["gcc", "-x", "c", "-o", program, "-"], input=source.encode(), check=True)
            check(subprocess.run([program]).returncode, 0)
        """)

    def test_closed_standard_descriptors(self):
        self.run_program(
            """
            os.close(1)
            check(system("ip link set lo mtu 1500"), 0)
            check(os.path.exists("/proc/self/fd/1"), False)
        """,
            native=0,
        )

    def test_smallest_stack(self):
        self.run_program("""
            import subprocess
            source = r'''
            #include <pthread.h>
            #include <limits.h>
            #include <stdlib.h>
            #include <unistd.h>
            static void* work(void* unused) { (void)unused; return (void*)(long)system("ip link show lo >/dev/null"); }
            int main(void) {
                pthread_attr_t attributes;
                pthread_t thread;
                pthread_attr_init(&attributes);
                if (pthread_attr_setstacksize(&attributes, (size_t)sysconf(_SC_THREAD_STACK_MIN))) return 2;
                if (pthread_create(&thread, &attributes, work, NULL)) return 3;
                void* status;
                pthread_join(thread, &status);
                return status != NULL;
            }'''
            program = os.path.dirname(os.environ["NLSH_TRACE"]) + "/small"
            subprocess.run(["gcc", "-x", "c", "-o", program, "-"], input=source.encode(), check=True)
            check(subprocess.run([program]).returncode, 0)
        """)

    def test_library_that_others_can_write(self):
        library = self.directory + "/libnlsh-engine.so"
        shutil.copy(BUILD + "/libnlsh-engine.so", library)
        os.chmod(library, 0o666)
        self.run_program("""check(system("ip link set lo up"), 0)""", native=0, NLSH_ENGINE_LIBRARY=library, NLSH_PROGRAM="none")

    def test_no_library(self):
        self.run_program(
            """check(system("ip link set lo up"), 0)""", native=0, NLSH_ENGINE_LIBRARY=self.directory + "/nosuch.so", NLSH_PROGRAM="none"
        )

    def test_loads_only_at_the_start_of_a_program_that_calls(self):
        """cat imports neither popen nor system; python3 imports system."""
        self.run_program(
            """
            check(system("cat /proc/self/maps >" + os.environ["NLSH_TRACE"] + ".maps"), 0)
            check("nlsh-engine" in open(os.environ["NLSH_TRACE"] + ".maps").read(), False)
            check("nlsh-preload" in open(os.environ["NLSH_TRACE"] + ".maps").read(), True)
            check("nlsh-engine" in open("/proc/self/maps").read(), True)
            check(system("ip link set lo up"), 0)
        """,
            native=1,
        )

    def test_other_root(self):
        self.run_program(
            """
            check(system("ip link set lo up"), 0)
            os.chroot(os.path.dirname(os.environ["NLSH_TRACE"]))
            check(system("ip link set lo up") != 0, True)
        """,
            native=1,
        )


if __name__ == "__main__":
    unittest.main()
