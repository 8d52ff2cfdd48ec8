"""A network namespace for tests that run as root, with nlsh's programs in it."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from . import place
from .calls import enter_network
from .server import Server

SECONDS = 60 * (5 if place.SANITIZED else 1)  # timeout of a program on a busy machine


def run(*words: str | Path, environment: dict | None = None, **options) -> subprocess.CompletedProcess:
    """A program's status, stdout and stderr, in bytes unless `text` is given."""
    return subprocess.run(words, **{"capture_output": True, "timeout": SECONDS, "env": os.environ | (environment or {})} | options)


class NamespaceTest(unittest.TestCase):
    """Each test has a network namespace, and its own folder as the current directory."""

    maxDiff = None

    def setUp(self):
        enter_network()
        self.folder = Path(tempfile.mkdtemp(prefix="nlsh-test-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def write(self, name: str, *lines: str):
        Path(self.folder, name).write_text("".join(f"{line}\n" for line in lines))

    def serve(self, *options: str) -> Server:
        """Starts a server that ends with the test."""
        return self.enterContext(Server(self.folder / "sock", "--log", "off", *options))

    def assert_equal_runs(self, real: subprocess.CompletedProcess, ours: subprocess.CompletedProcess, about: str = ""):
        self.assertEqual((ours.returncode, ours.stdout, ours.stderr), (real.returncode, real.stdout, real.stderr), about)
