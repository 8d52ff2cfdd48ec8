#!/usr/bin/env python3
"""battery.c's behaviours with the preload and without it, and the preload's stated budget. Argument: the build
directory. Without the preload `ip` is a script that does what the test server's engine does. Needs root."""
import glob
import os
import re
import shutil
import subprocess
import sys
import unittest

import preload_test
from preload_test import BUILD, LIMIT, PRELOAD

BATTERY = os.path.join(BUILD, "preload/tests/preload_battery")
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "battery.c")
ROW = "x" * 99
SCRIPT = f"""#!/bin/sh
case $2 in
out) yes {ROW} | head -c "$3" ;;
status) exit "$3" ;;
sleep) exec sleep 0."$3" ;;
devices) cat "/proc/sys/net/ipv4/conf/$3/forwarding" 2>/dev/null || echo none ;;
esac
"""


class BatteryCase(preload_test.PreloadTest):
    def setUp(self):
        super().setUp()
        os.chmod(self.directory, 0o755)
        self.script = self.directory + "/bin"
        os.mkdir(self.script)
        with open(self.script + "/ip", "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        os.chmod(self.script + "/ip", 0o755)
        self.start()

    def run_one(self, behaviour, preload, program=BATTERY, **more):
        path = f"{self.script}:{os.environ['PATH']}"
        done = subprocess.run([program, behaviour], env=self.environment(preload, PATH=path, **more), timeout=60,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)
        return done.stdout, done.stderr, done.returncode

    def compare(self, behaviour, **more):
        """The calls' fates: a set of ("native", "") and ("handed-over", reason)."""
        self.assertEqual(self.run_one(behaviour, True, **more), self.run_one(behaviour, False, **more))
        if not os.path.exists(self.trace):
            return set()
        return {(how, why if how != "native" else "") for _, how, _, why in self.traced()}


NATIVE = {("native", "")}
MIXED = {
    "modes": NATIVE | {("handed-over", "mode")},
    "reuse": NATIVE | {("handed-over", "no ip or bridge")},
    "namespaces": NATIVE | {("handed-over", "not a test")},
    "empty_root": set(),  # the trace's path isn't there either
    "filtered": {("handed-over", "seccomp")},
    "closed": NATIVE | {("handed-over", "stderr is closed"), ("handed-over", "stdout or stderr is closed")},
    "exhausted": None,  # how far each gets is its own: only the transcript counts
}
BEHAVIOURS = re.findall(r'\{"(\w+)", \w+\}', open(SOURCE, encoding="utf-8").read())


class Battery(BatteryCase):
    def test_other_programs(self):
        """Those that the loader doesn't preload into aren't touched, one with another libc is served."""
        copy = self.directory + "/setuid"
        shutil.copy(BATTERY, copy)
        os.chown(copy, 65534, 65534)
        os.chmod(copy, 0o4755)
        self.assertEqual(self.compare("both", program=copy), set())
        static = self.directory + "/static"
        subprocess.run(["cc", "-D_GNU_SOURCE", "-static", "-o", static, SOURCE], check=True, timeout=LIMIT)
        self.assertEqual(self.compare("both", program=static), set())

    @unittest.skipUnless(shutil.which("musl-gcc"), "musl-gcc isn't installed")
    def test_musl(self):
        program = self.directory + "/musl"
        subprocess.run(["musl-gcc", "-D_GNU_SOURCE", "-o", program, SOURCE], check=True, timeout=LIMIT)
        self.assertEqual(self.compare("both", program=program), NATIVE)

    def test_constructor_before_ours(self):
        early = self.directory + "/early"
        with open(early + ".c", "w", encoding="utf-8") as file:
            file.write('#include <stdlib.h>\n#include <stdio.h>\n__attribute__((constructor)) static void early(void) {\n'
                       'if (getenv("EARLY")) return;\nsetenv("EARLY", "1", 1);\n'
                       'printf("%d\\n", system("ip test status 6")); fflush(stdout); }\n')
        subprocess.run(["cc", "-shared", "-fPIC", "-o", early + ".so", early + ".c"], check=True, timeout=LIMIT)
        with_ours = self.run_one("both", False, LD_PRELOAD=f"{PRELOAD}:{early}.so")
        self.assertEqual(with_ours, self.run_one("both", False, LD_PRELOAD=early + ".so"))
        self.assertTrue(with_ours[0].startswith(b"1536\n"))


def add_behaviour(name):
    def test(self):
        fates, expected = self.compare(name), MIXED.get(name, NATIVE)
        if expected is not None:
            self.assertEqual(fates, expected)
    setattr(Battery, "test_" + name, test)


for behaviour in BEHAVIOURS:
    add_behaviour(behaviour)


class Budget(unittest.TestCase):
    @staticmethod
    def output(*command):
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=LIMIT).stdout

    def test_only_libc(self):
        needed = re.findall(r"NEEDED.*\[(.*)\]", self.output("readelf", "-d", PRELOAD))
        self.assertEqual(needed, ["libc.so.6"])

    def test_exports(self):
        symbols = self.output("nm", "-D", "--defined-only", PRELOAD)
        self.assertEqual(sorted(re.findall(r" [TWDBVi] (\w+)", symbols)), ["fclose", "pclose", "popen", "system"])

    def test_imports(self):
        """What musl has, too: no fortified functions, no dlvsym."""
        symbols = self.output("nm", "-D", "--undefined-only", PRELOAD)
        self.assertFalse(re.findall(r"U (\w+_chk|dlvsym)\b", symbols))

    def test_no_heap_and_no_stdio_below_system(self):
        objects = [o for o in glob.glob(BUILD + "/preload/CMakeFiles/nlsh_preload.dir/*.o")
                   if not o.endswith("popen.c.o")]
        self.assertGreater(len(objects), 5)
        symbols = self.output("nm", "--undefined-only", *objects)
        self.assertFalse(re.findall(r"U (\w*(?:alloc|printf)|free|f?open64|fdopen|fopen\w*|pthread_mutex\w*)\n",
                                    symbols.replace("U open64\n", "")))


if __name__ == "__main__":
    if os.geteuid() != 0:
        print("needs root")
        sys.exit(77)
    unittest.main(verbosity=1)
