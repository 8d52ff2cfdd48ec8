"""Process groups that the runner started: none outlives it, also when a time limit ends it."""

import os
import signal
import sys

_started: set[int] = set()


def add(group: int):
    _started.add(group)


def kill(group: int):
    _started.discard(group)
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _end(number: int, frame):
    for group in list(_started):
        kill(group)
    sys.stdout.flush()
    os._exit(128 + number)


def end_with_runner():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _end)
