"""Callers with rights of all kinds: `nlsh -c`, `nlsh ip`, and the engine in process print, return and leave what the real shell and
the real ip do. No caller gains a right. Prints how many cells were native."""

import collections
import os
import subprocess
import tempfile
import unittest

from . import bench
from .authority_test import _LINES, _TOOLS, CHANGES

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
# As a child that becomes a shell or tool, and as one that becomes nlsh instead.
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
        print(line, become([nlsh, *words] if nlsh else ["/usr/sbin/" + words[0], *words[1:]] if 0 else ["/usr/sbin/" + words[0], *words[1:]]), flush=True)
        os.write(2, line.encode() + b"\\n")
""" % (LINES,)


class Ways(unittest.TestCase):
    trace = ""

    @classmethod
    def setUpClass(cls):
        os.makedirs("/run/netns", mode=0o700, exist_ok=True)
        os.chmod("/run/netns", 0o700)

    def python(self, text, **environment):
        done = subprocess.run(
            ["/usr/bin/python3", "-B", "-c", text], capture_output=True, text=True, timeout=60, env=os.environ | environment
        )
        subprocess.run(
            "ip link set lo mtu 65536; ip netns del waysnew 2>/dev/null; umount /run/netns 2>/dev/null; chmod 700 /run/netns; rm -f /run/netns/waysnew",
            shell=True,
            check=True,
        )
        return done.returncode, done.stdout, done.stderr

    def verdicts(self):
        with open(self.trace, "r+", encoding="utf-8") as file:
            found = [line.split("\t") for line in file]
            file.truncate(0)
        return [(fields[1], fields[5].strip()) for fields in found if len(fields) > 5]

    def test_each_way(self):
        natives, falls = collections.Counter(), collections.Counter()
        with tempfile.NamedTemporaryFile("w", dir="/run") as trace:
            self.trace = trace.name
            os.chmod(self.trace, 0o666)
            for name, change in (CHANGES | MORE).items():
                with self.subTest(name):
                    start = f"{_TOOLS}{_MORE_TOOLS}{_LINES}{_RUN}\n"
                    by_system = f"{start}{change}\nrun({LINES})\n"
                    self.assertEqual(
                        self.python(by_system, LD_PRELOAD=str(bench.PRELOAD), NLSH_ENGINE="inproc", NLSH_TRACE=self.trace),
                        self.python(by_system),
                    )
                    self.count(natives, falls, "in process")
                    if "Landlock" in name:  # which is asked for nlsh before nlsh could ask
                        continue
                    by_exec = f"{start}{change}\nrun_lines(%r)\n"
                    nlsh = self.python(by_exec % str(bench.NLSH), NLSH_TRACE=self.trace)
                    real = self.python(by_exec % "")
                    self.assertEqual(nlsh, real)
                    self.count(natives, falls, "nlsh -c, nlsh ip")
        print(f"\n{len(CHANGES | MORE)} callers, {len(LINES)} lines; native: {dict(natives)}")
        for reason, times in sorted(falls.items()):
            print(f"  {times:4} fell back: {reason}")
        for way in ("in process", "nlsh -c, nlsh ip"):
            self.assertGreater(natives[way], 100)

    def count(self, natives, falls, way):
        for verdict, reason in self.verdicts():
            if verdict == "native":
                natives[way] += 1
            else:
                falls[f"{way}: {reason}"] += 1


if __name__ == "__main__":
    unittest.main()
