"""The ways in which programs run ip: scripts, Python's subprocess, posix_spawn and others. Each runs with the real ip, and with nlsh by the
preload or bash's builtin. The floor is the program's own work and its fork: a library ends the process where it would exec
(bench/floor.c)."""

import collections
import dataclasses
import os
import pathlib
import shlex
import tempfile
from collections.abc import Callable

from . import measurement

COMMAND = "ip link set lo mtu 65536"
WORDS = COMMAND.split()
QUOTED = ", ".join(f'"{word}"' for word in WORDS)
NETNS = "bench-ways"
IN_NETNS = f"ip netns exec {NETNS} true"
SPAWN = str(measurement.BUILD / "bench_spawn")


def script(*runner):
    """Makes a command that runs a file with the given text."""

    def program(text):
        def words(directory, times, command):
            file = directory / "script"
            file.write_text(text(times, command), encoding="utf-8")
            return [*runner, str(file)]

        return words

    return program


def shell(*runner):
    return script(*runner)(lambda times, command: f"i=0; while [ $i -lt {times} ]; do {command}; i=$((i + 1)); done\n")


def compiled(way):
    return lambda directory, times, command: [SPAWN, way, str(times), *([command] if way in ("system", "popen") else shlex.split(command))]


def xargs(directory, times, command):
    """One command for each line of a file."""
    file = directory / "words"
    *words, last = shlex.split(command)
    file.write_text(f"{last}\n" * times, encoding="utf-8")
    return ["xargs", "-r", "-n", "1", "-a", str(file), *words]


def python(text):
    return script("/usr/bin/python3", "-I")(lambda times, _: f"import os, subprocess\nfor i in range({times}): {text}\n")


MOVABLE = ("plain", "nlsh", "floor")


def unpinned(column):
    return f"{column}, unpinned"


def usual(environment):
    """The environment with Debian's PATH of root: a longer PATH makes the search for ip slower, with nlsh or without."""
    return {**environment, "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}


def preload(way, preloaded):
    """The command and the environment of each column, by name."""
    plain = usual(os.environ)
    return {
        "plain": (way.line, plain),
        "nlsh": (way.line, usual(preloaded)),
        "floor": (way.line, {**plain, "LD_PRELOAD": str(measurement.BUILD / "libbench_floor.so")}),
    }


def long_path(way, preloaded):
    """The same with ten directories in PATH; ip is in the ninth."""
    path = "/opt/a:/opt/b:/opt/c:/opt/d:/usr/local/sbin:/usr/local/bin:/usr/games:/usr/local/games:/usr/sbin:/usr/bin"
    return {column: (line, {**environment, "PATH": path}) for column, (line, environment) in preload(way, preloaded).items()}


def builtin(way, _):
    """bash's builtin (packaging/docs/bash.md). The floor is the same loop with a builtin that does nothing."""
    plain = usual(os.environ)
    return {
        "plain": (way.line, plain),
        "nlsh": (way.line, {**plain, "BASH_ENV": str(measurement.BUILD / "builtin.bash")}),
        "floor": (":", plain),
    }


def called(way, preloaded):
    """By popen or system; without a floor, because no process would exec."""
    return {"plain": (way.line, usual(os.environ)), "nlsh": (way.line, usual(preloaded))}


@dataclasses.dataclass(frozen=True)
class Way:
    """program(folder for its files, number of runs, command) returns the words that run it."""

    name: str
    program: Callable[[pathlib.Path, int, str], list[str]]
    line: str = COMMAND
    by: Callable[["Way", dict], dict] = preload


WAYS = (
    Way("sh (dash) script", shell("dash")),
    Way("bash script", shell("bash")),
    Way("bash script, builtin", shell("bash"), by=builtin),
    Way("busybox sh script", shell("busybox", "sh")),
    Way("Python subprocess", python(f"subprocess.run({WORDS!r})")),
    Way("Python subprocess, PATH of ten", python(f"subprocess.run({WORDS!r})"), by=long_path),
    Way("Python subprocess, shell=True", python(f"subprocess.run({COMMAND!r}, shell=True)")),
    Way("Perl system", script("perl")(lambda times, _: f"system({QUOTED}) for 1..{times};\n")),
    Way("Lua os.execute", script("lua5.4")(lambda times, line: f'for i = 1, {times} do os.execute("{line}") end\n'), by=called),
    Way("PHP exec", script("php")(lambda times, line: f'<?php for ($i = 0; $i < {times}; $i++) exec("{line}");\n'), by=called),
    Way(
        "awk (mawk) system",
        script("mawk", "-f")(lambda times, line: f'BEGIN {{ for (i = 0; i < {times}; i++) system("{line}") }}\n'),
        by=called,
    ),
    Way("make", script("make", "-sf")(lambda times, line: f"all:{times * f'''{chr(10)}{chr(9)}{line}'''}\n")),
    Way("xargs", xargs),
    Way("posix_spawn", compiled("spawn")),
    Way("posix_spawn, ip netns exec", compiled("spawn"), line=IN_NETNS),
)


class Ways:
    def measure(self, quick):
        times, rounds = measurement.size(quick, (250, 5), (40, 3), (5, 1))
        measurement.run("ip", "netns", "add", NETNS)
        try:
            with measurement.server() as preloaded, tempfile.TemporaryDirectory(prefix="nlsh-bench-") as directory:
                rows = [row(way, pathlib.Path(directory), preloaded, times, rounds, MOVABLE) for way in WAYS]
        finally:
            measurement.run("ip", "netns", "del", NETNS)
        return {
            "title": "However it is run",
            "ways": ["plain", "nlsh", "floor", *map(unpinned, MOVABLE)],
            "ratios": [["plain", "nlsh"], ["plain", "floor"], *([unpinned("plain"), unpinned(column)] for column in ("nlsh", "floor"))],
            "note": f"{times} times `{COMMAND}`, without the program's own start, on one processor; *unpinned*: on any, with cold caches. *floor*: the program "
            "exits in place of becoming ip; for the builtin, the loop runs `:`.",
            "rows": rows,
        }


def cost(way, directory, command, environment, times):
    """Microseconds of a command, without the time of a program that runs none."""
    took = []
    for count in (0, times):
        words = way.program(directory, count, command)
        took.append(measurement.elapsed(lambda words=words: measurement.run(*words, env=environment)))
    return (took[1] - took[0]) / times


def row(way, directory, preloaded, times, rounds, movable=()):
    """Measures all columns by turns on one processor; columns in `movable` also on any processor."""
    samples = collections.defaultdict(list)
    for _ in range(rounds):
        for column, (command, environment) in way.by(way, preloaded).items():
            measured = way, directory, command, environment, times
            samples[column].append(measurement.on_processors({min(os.sched_getaffinity(0))}, cost, *measured))
            if column in movable:
                samples[unpinned(column)].append(cost(*measured))
    return {"name": way.name, "line": way.line, "ways": {column: measurement.summary(each) for column, each in samples.items()}}
