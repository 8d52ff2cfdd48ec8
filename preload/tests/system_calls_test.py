#!/usr/bin/env python3
"""Which system calls a program makes for a call in a burst, beside what libc makes for the same: each is named, so that
none comes to them unnoticed. What they are for: packaging/docs/system-calls.md. Argument: the build directory. Needs root."""

import collections
import os
import re
import subprocess
import sys

import preload_case
from preload_case import BUILD, LIMIT, PRELOAD

STEPS = os.path.join(BUILD, "preload/tests/preload_steps")
CALLS = 150
ALONE, ALONE_LIMIT = 9, 50  # calls, and what one takes of the server; 120 where it looks everything up
# What the program asks between two calls of the burst: no call of popen or system asks that.
MARK = "getsid"
PROGRAM = """import ctypes, sys
libc = ctypes.CDLL(None)
libc.popen.restype = ctypes.c_void_p
libc.pclose.argtypes = libc.fgetc.argtypes = [ctypes.c_void_p]
way, line, times = sys.argv[1], sys.argv[2].encode(), int(sys.argv[3])
for _ in range(times):
    libc.getsid(0)
    if way == "system":
        assert libc.system(line) == 0
    else:
        stream = libc.popen(line, b"r")
        while libc.fgetc(stream) != -1: pass
        assert libc.pclose(stream) == 0
libc.getsid(0)
"""
# The caller: what its exec would be allowed and would find. prctl: a filter, securebits, no_new_privs, and of the bounding set
# the capabilities that a line may need, one by one.
CALLER = {"prctl": 8, "getresuid": 1, "getresgid": 1, "capget": 1, "statx": 1, "getcwd": 1, "getrlimit": 1, "poll": 1}
# The stream of a popen; all but the fcntl F_GETFL are libc's own popen's, too.
STREAM = {"pipe2": 1, "fcntl": 2, "read": 1, "close": 2}
DISPOSITION = {"rt_sigaction": 1}
# By the server: what is kept is ours and the thread where it was, and the call.
SERVER = {"getsockopt": 1, "readlinkat": 1, "sendmsg": 1, "recvmsg": 1}
# In process: which thread it is; signals
# blocked and let in again; name files, tools and the kill switch unchanged; the command itself: a look-up, a request and its answer.
PROCESS = {"gettid": 1, "rt_sigprocmask": 2, "fcntl": 2, "poll": 1, "getsockopt": 1, "readlinkat": 1, "ioctl": 1, "sendto": 1, "recvmsg": 1}
EXPECTED = {
    ("server", "popen"): (CALLER, STREAM, DISPOSITION, SERVER),
    ("server", "system"): (CALLER, DISPOSITION, SERVER),
    ("inproc", "popen"): (CALLER, STREAM, DISPOSITION, PROCESS),
    ("inproc", "system"): (CALLER, DISPOSITION, PROCESS),
}
LIMITS = {("server", "popen"): 26, ("server", "system"): 20, ("inproc", "popen"): 33, ("inproc", "system"): 27}
# Of a process that has a command done instead of becoming /usr/sbin/ip, to its end: signals blocked, and which have come; its rights, as its exec would have them; what it would find, and no other threads;
# that 1 and 2 are inherited and take what is said, whether 1 is a terminal; its server; whether a netlink socket must go with the request; its root; the request and the reply.
EXEC = {
    "rt_sigprocmask": 1,
    "rt_sigpending": 1,
    "prctl": 9,
    "geteuid": 1,
    "getresuid": 1,
    "getresgid": 1,
    "capget": 1,
    "getrlimit": 1,
    "unshare": 1,
    "poll": 2,
    "fcntl": 4,
    "fstat": 2,
    "ioctl": 1,
    "getcpu": 1,
    "socket": 1,
    "connect": 1,
    "getsockopt": 1,
    "close": 1,
    "statx": 1,
    "sendmsg": 1,
    "recvmsg": 1,
    "exit_group": 1,
}
SAME = {
    "newfstatat": "fstat",
    "faccessat": "access",
    "ppoll": "poll",
    "pselect6": "select",
}  # before glibc 2.41; by another name; arm64 has it alone


def called(log, pattern=r"^(\d+) +(\w+)\("):
    """What the pattern finds in each line of strace's log: the process, with strace -f, and the system call."""
    with open(log, encoding="utf-8", errors="replace") as file:
        return re.findall(pattern, file.read(), re.M)


class SystemCalls(preload_case.PreloadTest):
    def typical(self, way, line, **variables):
        """The most common list of one call in the burst: a new processor of the thread leads to a new connection."""
        log = self.directory + "/strace"
        program = ("env", *(f"{name}={value}" for name, value in variables.items()), "/usr/bin/python3", "-I", "-c", PROGRAM)
        # The directory isn't one that a test's harness may have removed.
        subprocess.run(
            ["unshare", "-n", "taskset", "-c", str(min(os.sched_getaffinity(0))), "strace", "-o", log, *program, way, line, str(CALLS)],
            cwd="/",
            env=dict(os.environ, NLSH_SOCKET=self.prefix),
            timeout=LIMIT,
            check=True,
        )
        calls, seen = collections.Counter(), collections.Counter()
        for name in called(log, r"^(\w+)\("):
            if name == MARK:
                seen[tuple(sorted(calls.items()))] += 1
                calls.clear()
            else:
                calls[SAME.get(name, name)] += 1
        most, times = seen.most_common(1)[0]
        self.assertGreater(times, CALLS // 2, seen)
        return dict(most)

    def test_each_is_known(self):
        self.start()
        for (engine, way), parts in EXPECTED.items():
            expected = collections.Counter()
            for part in parts:
                expected.update(part)
            line = "ip link set lo mtu 60000" if engine == "inproc" else "ip test status 0"
            with self.subTest(engine=engine, way=way):
                if engine == "inproc" and not os.path.exists(BUILD + "/libnlsh-engine.so"):
                    self.skipTest("no engine was built")
                got = self.typical(way, line, LD_PRELOAD=PRELOAD, NLSH_ENGINE=engine)
                print(
                    f"# {way}, {engine}: {sum(got.values())} system calls; libc's own parent: {sum(self.typical(way, ':').values())}",
                    file=sys.stderr,
                )
                self.assertEqual(got, dict(expected))
                self.assertLessEqual(sum(got.values()), LIMITS[engine, way])

    def test_each_of_an_exec_is_known(self):
        lines = 12
        log = self.directory + "/strace"
        self.server_command = [os.path.join(BUILD, "nlsh"), "serve", "--socket"]
        self.start()
        # By its input: `dash -c LINE` would be answered itself.
        subprocess.run(
            ["unshare", "-n", "strace", "-f", "-o", log, "dash"],
            input=b"ip link set lo up\n" * lines + b":\n",
            cwd="/",
            timeout=LIMIT,
            check=True,
            env=self.environment(NLSH_TRACE=""),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        calls = {}
        for process, name in called(log):
            calls.setdefault(process, []).append(SAME.get(name, name))
        _, *children = calls.values()
        self.assertEqual(len(children), lines)
        counts = [collections.Counter(names[names.index("prctl") - 1 :]) for names in children]
        # A child whose answer takes longer than 5 ms, as under strace, first makes sure that its exec would pass: more calls.
        print(f"# of {lines} execs {counts.count(EXEC)} had their answer at once", file=sys.stderr)
        self.assertIn(EXEC, counts)
        for count in counts:
            self.assertLessEqual(collections.Counter(EXEC), count)

    def calls_of(self, *command, **variables):
        """The system calls of all processes after the mark."""
        log = self.directory + "/strace"
        subprocess.run(
            ["strace", "-f", "-o", log, *command],
            cwd="/",
            timeout=LIMIT,
            check=True,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **variables},
        )
        names = [name for _, name in called(log)]
        return collections.Counter(names[names.index(MARK) :])

    def test_a_program_that_never_runs_ip_makes_one_more_at_most(self):
        """For execve(2)'s EFAULT the kernel is asked whether the name can be read; libc's other functions read it themselves."""
        for way, file in (
            ("execve", "/bin/true"),
            ("execvp", "true"),
            ("posix_spawn", "/bin/true"),
            ("posix_spawnp", "true"),
            ("fclose", "/bin/true"),
        ):
            for when in ("first", "later"):
                with self.subTest(way=way, when=when):
                    command = (STEPS, "run", when, way, file)
                    asked = collections.Counter(rt_sigprocmask=1 if way in ("execve", "posix_spawn") else 0)
                    self.assertEqual(self.calls_of(*command, LD_PRELOAD=PRELOAD), self.calls_of(*command) + asked)

    def test_a_call_that_comes_alone(self):
        """What the server believes for a second it looks up again meanwhile, not in the next call: that is let in, attested and done."""
        log = self.directory + "/server"
        self.server_command = ["strace", "-D", "-f", "-o", log, os.path.join(BUILD, "nlsh"), "serve", "--socket"]
        self.start()
        program = f"import ctypes, time\nfor _ in range({ALONE}): ctypes.CDLL(None).system(b'ip link set lo up'); time.sleep(1.1)"
        subprocess.run(["unshare", "-n", "/usr/bin/python3", "-I", "-c", program], env=self.environment(), timeout=LIMIT, check=True)
        counts, running = [], {}
        for thread, name in called(log):
            if name == "accept4":
                running[thread] = 0
            elif thread in running:
                running[thread] += 1
                if name == "sendmsg":
                    counts.append(running.pop(thread))
        print(f"# of the server, for a call that comes alone: {counts} system calls", file=sys.stderr)
        self.assertGreaterEqual(len(counts), ALONE // 2)
        self.assertLessEqual(sorted(counts)[len(counts) // 2], ALONE_LIMIT)


if __name__ == "__main__":
    preload_case.main()
