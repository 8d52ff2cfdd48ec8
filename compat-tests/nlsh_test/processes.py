"""Programs beside a test."""

import subprocess
import unittest

NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")  # before a command


def started(test: unittest.TestCase, words, **options) -> subprocess.Popen:
    """Starts a program. It is killed when the test ends."""
    process = subprocess.Popen(words, **options)

    def end():
        process.kill()
        process.wait()
        for pipe in filter(None, (process.stdin, process.stdout, process.stderr)):
            pipe.close()

    test.addCleanup(end)
    return process
