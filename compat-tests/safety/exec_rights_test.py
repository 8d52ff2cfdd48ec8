"""Compares the rule for rights (shim/rights) with real execs of this program's file, ip and bridge by random callers.
NLSH_RIGHTS_COUNT is the number of callers, NLSH_RIGHTS_SEED selects others. To run it: safety/attack exec_rights_test."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from . import bench


class ExecRights(unittest.TestCase):
    def test_random_callers(self):
        count = os.environ.get("NLSH_RIGHTS_COUNT", "40000")
        with tempfile.TemporaryDirectory(dir="/var/lib") as directory:  # this file system allows setuid bits and file capabilities
            os.chmod(directory, 0o755)
            program = directory + "/exec_rights"
            sources = [bench.ROOT / "shim/rights" / f"{name}_rights.c" for name in ("exec", "own", "file", "status")]
            subprocess.run(
                [
                    "cc",
                    "-std=gnu17",
                    "-Wall",
                    "-Werror",
                    "-O1",
                    f"-I{bench.ROOT}",
                    "-o",
                    program,
                    Path(__file__).with_name("exec_rights.c"),
                    *sources,
                ],
                check=True,
            )
            done = subprocess.run(
                [program, count, os.environ.get("NLSH_RIGHTS_SEED", "1"), directory], capture_output=True, text=True, timeout=900
            )
        print(f"\n{count} random callers:\n{done.stdout}", end="")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
