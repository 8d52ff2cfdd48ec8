"""Which program or library does a popen's work: its instructions, cache misses and system calls.

callgrind, which simulates caches, and strace count them, because virtual machines often have no counters. The figure for one call is the
difference between a thousand calls and a hundred."""

import collections
import contextlib
import os
import re
import subprocess
import tempfile
import time

from . import measurement, namespace
from .lines import LINES

NAMES = ("link set mtu", "chain of six", "link show")
EVENTS = ("Ir", "I1mr", "D1mr", "D1mw")
OBJECTS = {  # callgrind's name of a file -> the stage
    "libnlsh-preload.so": "preload",
    "libnlsh-engine.so": "engine",
    "nlsh": "server",
}
LIBC = "libc and the rest"


def by_object(path):
    """{file name: [events]} of callgrind's own costs."""
    found = collections.defaultdict(lambda: [0] * len(EVENTS))
    names, current, skip, order = {}, None, False, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("events:"):
                order = line.split()[1:]
            elif line.startswith(("ob=", "cob=")):  # only the first line with a number has the name
                where, _, words = line.strip().partition("=")
                number, _, name = words.partition(" ")
                names.setdefault(number, name or number)
                current = names[number] if where == "ob" else current
            elif line.startswith("calls="):
                skip = True  # the next line has the cost of the called function
            elif line[0].isdigit() or line[0] in "+-*":
                if skip:
                    skip = False
                    continue
                values = dict(zip(order, map(int, line.split()[1:]), strict=False))
                for at, event in enumerate(EVENTS):
                    found[os.path.basename(current)][at] += values.get(event, 0)
    return found


def counted(command, environment, folder):
    subprocess.run(
        ["valgrind", "-q", "--tool=callgrind", "--cache-sim=yes", f"--callgrind-out-file={folder}/program", *command],
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return by_object(f"{folder}/program")


@contextlib.contextmanager
def valgrind_server(folder):
    """A server under callgrind. When it has ended, its counts are in the folder."""
    socket = f"{folder}/nlsh.sock"
    words = ["valgrind", "-q", "--tool=callgrind", "--cache-sim=yes", f"--callgrind-out-file={folder}/server"]
    process = subprocess.Popen([*words, measurement.NLSH, "serve", "--no-seccomp", "--socket", socket], stderr=subprocess.DEVNULL)
    try:
        limit = time.monotonic() + 60
        while not os.path.exists(f"{socket}.{max(os.sched_getaffinity(0))}") and time.monotonic() < limit:
            time.sleep(0.1)
        yield {**os.environ, "LD_PRELOAD": str(measurement.BUILD / "libnlsh-preload.so"), "NLSH_SOCKET": socket, "NLSH_TIMEOUT_MS": "10000"}
    finally:
        process.terminate()
        process.wait()


def system_calls(command, environment, folder, *attach):
    """Counts the system calls of the command, or of the process that strace attaches to."""
    path = f"{folder}/calls"
    with contextlib.ExitStack() as stack:
        if attach:
            tracer = stack.enter_context(subprocess.Popen(["strace", "-f", "-qq", "-o", path, "-p", *attach], stderr=subprocess.DEVNULL))
            time.sleep(0.5)
            subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
            tracer.terminate()
        else:
            options = [f"-E{name}={environment[name]}" for name in ("LD_PRELOAD", "NLSH_SOCKET", "NLSH_ENGINE") if name in environment]
            subprocess.run(["strace", "-qq", "-o", path, *options, *command], check=True, stdout=subprocess.DEVNULL)
    with open(path, encoding="utf-8") as file:
        return sum(bool(re.search(r"^(\d+ +)?\w+\(", line)) and "resumed" not in line for line in file)


def difference(few, many, calls):
    """What one call adds to each counter."""
    return {name: [max(0, after - before) / calls for before, after in zip(few[name], many[name], strict=True)] for name in many}


class Stages:
    def measure(self, quick):
        namespace.standard()
        self.few, self.many = measurement.size(quick, (100, 1100), (50, 250), (20, 40))
        rows = [row for name in NAMES[: measurement.size(quick, 3, 1, 1)] for row in self.rows(name, LINES[name])]
        return {
            "title": "Where a popen's work is done",
            "ways": ["instructions", "instruction cache misses", "data cache misses", "system calls"],
            "ratios": [],
            "note": "What one call adds in a burst: instructions outside the kernel, by callgrind (`results/stages.json` has cache misses), and system "
            "calls, by strace. A server's own libc is in *server*.",
            "rows": rows,
        }

    def runs(self, line, measure):
        """What one call adds to the counts of `measure(command)`."""
        found = []
        for count in (self.few, self.many):
            with measurement.file_of([line] * count) as file:
                found.append(measure([str(measurement.BUILD / "bench_sequence"), "popen", file]))
        if isinstance(found[0], int):
            return (found[1] - found[0]) / (self.many - self.few)
        return difference(*found, self.many - self.few)

    def rows(self, name, line):
        with tempfile.TemporaryDirectory(prefix="nlsh-bench-") as folder:
            inside = measurement.in_process()
            yield from self.table(
                f"{name}, in process",
                self.runs(line, lambda command: counted(command, inside, folder)),
                self.runs(line, lambda command: system_calls(command, inside, folder)),
            )
            with valgrind_server(folder) as environment:
                program = self.runs(line, lambda command: counted(command, environment, folder))
            with measurement.serving() as (environment, server):
                calls = self.runs(line, lambda command: system_calls(command, environment, folder))
                of_server = self.runs(line, lambda command: system_calls(command, environment, folder, str(server.pid)))
            yield from self.table(f"{name}, by the server", program, calls)
            yield from self.table(f"{name}, by the server", self.server(line, folder), of_server, "server: ")

    def server(self, line, folder):
        def measure(command):
            with valgrind_server(folder) as environment:
                subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
            return by_object(f"{folder}/server")

        return self.runs(line, measure)

    @staticmethod
    def table(name, objects, calls, where="program: "):
        rest = [0.0] * len(EVENTS)
        for file, events in objects.items():
            if file in OBJECTS:
                yield row(f"{name}; {OBJECTS[file]}", events)
            else:
                rest = [a + b for a, b in zip(rest, events, strict=True)]
        if any(rest):  # the server is linked statically
            yield row(f"{name}; {where}{LIBC}", rest)
        yield {"name": f"{name}; {where}in all", "ways": {"system calls": float(calls)}}


def row(name, events):
    instructions, fetches, reads, writes = events
    return {
        "name": name,
        "ways": {"instructions": instructions, "instruction cache misses": fetches, "data cache misses": reads + writes},
    }
