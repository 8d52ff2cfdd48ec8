#!/usr/bin/env python3
"""What the preload may cost and need. Argument: the build directory."""
import glob
import os
import re
import subprocess
import unittest

from preload_test import BUILD, LIMIT, PRELOAD

EXECS = os.path.join(BUILD, "preload/tests/preload_execs")


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
    unittest.main(verbosity=1)
