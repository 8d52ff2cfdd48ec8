"""Programs that take turns on one processor, so that all measure under the same conditions."""

import collections
import contextlib
import json
import os
import subprocess

from . import measurement


@contextlib.contextmanager
def started(command, environments):
    """Starts the command once for each environment; returns {name: process}."""
    with contextlib.ExitStack() as stack:
        yield {
            name: stack.enter_context(
                subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
            )
            for name, environment in environments.items()
        }


def turn(process):
    """Sends a byte, and returns the line of JSON that the program answers."""
    process.stdin.write("\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    if not answer:
        raise RuntimeError(f"{process.args} ended with {process.wait()}")
    return json.loads(answer)


def taken(command, environments, rounds):
    """Runs all commands in turns, `rounds` times. Returns {name: {way: microseconds of each call}}."""
    found = {name: collections.defaultdict(list) for name in environments}
    with started(command, environments) as processes:
        for _ in range(rounds):
            for name, process in processes.items():
                for way, times in turn(process).items():
                    found[name][way] += times
        for process in processes.values():
            process.stdin.close()
    return found


def on_one_processor(command, environments, rounds):
    return measurement.on_processors({min(os.sched_getaffinity(0))}, taken, command, environments, rounds)
