"""Callers with rights of all kinds: `nlsh -c`, `nlsh ip` and the in-process engine have the same output, status and effect as the real
shell and ip. No caller gains a right. Prints how many cells were native."""

import collections
import contextlib
import os
import shutil
import struct
import subprocess
import tempfile
import unittest

from . import bench
from .rights_changes import CHANGES, RUN_LINES, TOOLS

_MORE_TOOLS = """
def raise_ambient(*numbers):
    call('prctl', 8, 1, 0, 0, 0); os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)
    bits = sum(1 << number for number in numbers)
    header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(*[bits & 0xffffffff] * 3, *[bits >> 32] * 3)
    call("capset", header, data)
    for number in numbers: call('prctl', 47, 2, number, 0, 0)
def filter_call(number, action):
    program = (ctypes.c_uint64 * 4)(0x20, 0x15 | 1 << 24 | number << 32, 0x06 | action << 32, 0x7fff000000000006)
    head = (ctypes.c_uint64 * 2)(4, ctypes.addressof(program)); call('prctl', 22, 2, head)
def landlock(handled, allowed=()):
    call('prctl', 38, 1, 0, 0, 0)
    attributes = (ctypes.c_uint64 * 1)(handled)
    rules = libc.syscall(444, attributes, 8, 0)
    if rules < 0: raise OSError(ctypes.get_errno(), "landlock")
    import struct
    for path, access in allowed:
        libc.syscall(445, rules, 1, ctypes.c_char_p(struct.pack("<Qi", access, os.open(path, os.O_PATH))), 0)
    if libc.syscall(446, rules, 0): raise OSError(ctypes.get_errno(), "landlock")
"""
MORE = {
    "nobody, ambient CAP_NET_ADMIN": "raise_ambient(12)",
    "nobody, ambient CAP_SYS_ADMIN, which ip drops": "raise_ambient(21)",
    "nobody, ambient CAP_DAC_OVERRIDE and _READ_SEARCH, which ip drops": "raise_ambient(1, 2)",
    "nobody, ambient CAP_NET_ADMIN and CAP_SYS_ADMIN": "raise_ambient(12, 21)",
    "root without CAP_DAC_OVERRIDE and _READ_SEARCH": "call('prctl', 24, 1, 0, 0, 0); call('prctl', 24, 2, 0, 0, 0); capabilities(ALL & ~6, ALL & ~6)",
    "no CAP_DAC_OVERRIDE, exec regains it": "capabilities(effective=ALL & ~6)",
    "CAP_SYS_ADMIN dropped for good": "call('prctl', 24, 21, 0, 0, 0); capabilities(ALL & ~(1 << 21), ALL & ~(1 << 21))",
    "file uid nobody": "libc.setfsuid(65534)",
    "nobody under a filter with no_new_privs": "os.setresuid(65534, 65534, 65534); call('prctl', 38, 1, 0, 0, 0); filter_call(999, 0x50001)",
    "a filter that refuses exec": "filter_call(59, 0x50001)",
    "a filter that kills for exec": "filter_call(59, 0x80000000)",
    "a filter that kills for sockets": "filter_call(41, 0x80000000)",
    "Landlock, no exec": "landlock(1)",
    "nobody, Landlock, no exec": "os.setresuid(65534, 65534, 65534); landlock(1)",
    "nobody, Landlock, exec of the shell alone": "os.setresuid(65534, 65534, 65534); landlock(1, [('/usr/bin/dash', 1), ('/lib64', 1), ('/usr/lib', 1), ('/lib', 1)])",
}
LINES = (
    "ip link show lo",
    "ip link set lo mtu 65000",
    "ip -o link show lo",
    "ip netns add waysnew",
    "ip netns list",
    "bridge link show",
    "ip link set lo mtu 65536",
)
# Runs a line by a child that execs a shell or tool, and by one that execs nlsh instead.
_RUN = """
def become(words):
    child = os.fork()
    if child == 0:
        try: os.execv(words[0], words)
        except OSError as error: os._exit(100 + error.errno)
    return os.waitpid(child, 0)[1]
def run_lines(nlsh):
    for line in %r:
        words = [nlsh, "-c", line] if nlsh else ["/bin/sh", "-c", line]
        print(line, become(words), flush=True)
        words = line.split()
        print(line, become([nlsh, *words] if nlsh else ["/usr/sbin/" + words[0], *words[1:]]), flush=True)
        os.write(2, line.encode() + b"\\n")
""" % (LINES,)


# Variants of the file of ip, which may lend rights to its caller: owner, mode, and the permitted and effective capabilities of its xattr.
FILES = {
    "setuid root": (0, 0o4755, 0),
    "setuid nobody": (65534, 0o4755, 0),
    "setgid": (0, 0o2755, 0),
    "CAP_NET_ADMIN": (0, 0o755, 1 << 12),
    "CAP_NET_ADMIN, setuid nobody": (65534, 0o4755, 1 << 12),
    "CAP_SYS_ADMIN": (0, 0o755, 1 << 21),
}
# The callers that run such a file.
RUNNERS = (
    "nothing",
    "nobody",
    "nobody, ambient CAP_NET_ADMIN",
    "effective capabilities dropped, exec regains them",
    "no capability under no_new_privs",
    "nobody under a filter with no_new_privs",
    "CAP_NET_ADMIN dropped for good",
    "effective uid nobody, which dash resets",
    "root of a user namespace",
)
# The exec of the real ip fails (EPERM). The shim can't imitate that: its own exec has succeeded.
FAIL = {(lent, "CAP_NET_ADMIN dropped for good") for lent in ("CAP_NET_ADMIN", "CAP_NET_ADMIN, setuid nobody")}


class LentRights:
    """Replaces /usr/sbin/ip for a while by a copy with this owner, mode and capabilities."""

    def __init__(self, owner: int, mode: int, capabilities: int):
        self.folder = tempfile.TemporaryDirectory(dir="/var/lib")
        os.chmod(self.folder.name, 0o755)
        self.copy = shutil.copy("/usr/sbin/ip", self.folder.name)
        os.chown(self.copy, owner, 0)
        os.chmod(self.copy, mode)
        if capabilities:
            os.setxattr(self.copy, "security.capability", struct.pack("<IIIII", 0x02000001, capabilities, 0, 0, 0))

    def __enter__(self):
        self.files = {os.path.realpath(name) for name in ("/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip", "/bin/ip") if os.path.exists(name)}
        for file in self.files:
            subprocess.run(["mount", "--bind", self.copy, file], check=True)

    def __exit__(self, *_):
        for file in self.files:
            subprocess.run(["umount", file], check=True)
        self.folder.cleanup()


class Ways(unittest.TestCase):
    trace = ""

    @classmethod
    def setUpClass(cls):
        os.makedirs("/run/netns", mode=0o700, exist_ok=True)
        os.chmod("/run/netns", 0o700)

    def python(self, text, **environment):
        done = bench.python(text, **environment)
        subprocess.run(
            "ip link set lo mtu 65536; ip netns del waysnew 2>/dev/null; umount /run/netns 2>/dev/null; chmod 700 /run/netns; rm -f /run/netns/waysnew",
            shell=True,
            check=True,
        )
        return done

    def verdicts(self):
        with open(self.trace, "r+", encoding="utf-8") as file:
            found = [line.split("\t") for line in file]
            file.truncate(0)
        return [(fields[1], fields[5].strip()) for fields in found if len(fields) > 5]

    def test_each_way(self):
        natives, falls = collections.Counter(), collections.Counter()
        with self.tracing():
            for name, change in (CHANGES | MORE).items():
                with self.subTest(name):
                    self.compare(name, change, natives, falls)
        self.tell(f"{len(CHANGES | MORE)} callers, {len(LINES)} lines", natives, falls)
        for way in ("in process", "nlsh -c, nlsh ip"):
            self.assertGreater(natives[way], 100)

    def test_files_of_ip_that_lend_rights(self):
        natives, falls = collections.Counter(), collections.Counter()
        with self.tracing():
            for lent, file in FILES.items():
                with LentRights(*file):
                    for name in RUNNERS:
                        with self.subTest(lent, name=name):
                            self.compare(name, (CHANGES | MORE)[name], natives, falls, by_exec=(lent, name) not in FAIL)
        self.tell(f"{len(FILES)} files of ip, {len(RUNNERS)} callers, {len(LINES)} lines; {len(FAIL)} not by the shim", natives, falls)
        for way in ("in process", "nlsh -c, nlsh ip"):
            self.assertGreater(natives[way], len(FILES))  # at least the lines of bridge

    @contextlib.contextmanager
    def tracing(self):
        with tempfile.NamedTemporaryFile("w", dir="/run") as trace:
            self.trace = trace.name
            os.chmod(self.trace, 0o666)
            yield

    def compare(self, name, change, natives, falls, by_exec=True):
        start = f"{TOOLS}{_MORE_TOOLS}{RUN_LINES}{_RUN}\n"
        by_system = f"{start}{change}\nrun({LINES})\n"
        self.assertEqual(
            self.python(by_system, LD_PRELOAD=str(bench.PRELOAD), NLSH_ENGINE="inproc", NLSH_TRACE=self.trace), self.python(by_system)
        )
        self.count(natives, falls, "in process")
        if "Landlock" in name or not by_exec:  # Landlock refuses the exec of nlsh before nlsh could check
            return
        lines = f"{start}{change}\nrun_lines(%r)\n"
        nlsh = self.python(lines % str(bench.NLSH), NLSH_TRACE=self.trace)
        self.assertEqual(nlsh, self.python(lines % ""))
        self.count(natives, falls, "nlsh -c, nlsh ip")

    def tell(self, what, natives, falls):
        print(f"\n{what}; native: {dict(natives)}")
        for reason, times in sorted(falls.items()):
            print(f"  {times:4} fell back: {reason}")

    def count(self, natives, falls, way):
        for verdict, reason in self.verdicts():
            if verdict == "native":
                natives[way] += 1
            else:
                falls[f"{way}: {reason}"] += 1
