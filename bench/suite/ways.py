"""However a program runs ip: a command of scripts, of Python's subprocess, of posix_spawn, with the real ip, with nlsh by
the preload, and with a library that ends the process where it would exec (bench/floor.c): what the fork alone costs."""
import os
import pathlib
import tempfile

from . import measurement

COMMAND = "ip link set lo mtu 65536"
WORDS = COMMAND.split()
NETNS = "bench-ways"
LOOP = "i=0; while [ $i -lt {times} ]; do {command}; i=$((i + 1)); done\n"
PYTHON = "import subprocess\nfor i in range({times}): subprocess.run({words!r}, shell={shell})\n"
QUOTED = ", ".join(f'"{word}"' for word in WORDS)
BUILTIN = "bash script, builtin"  # packaging/docs/bash.md; without the preload
# Name, what runs the file, what is in the file, and whether the floor's library, which knows ip alone, says something about it.
SCRIPTS = (
    ("sh (dash) script", ["dash"], lambda times: LOOP.format(times=times, command=COMMAND), True),
    ("bash script", ["bash"], lambda times: LOOP.format(times=times, command=COMMAND), True),
    (BUILTIN, ["bash"], lambda times: LOOP.format(times=times, command=COMMAND), False),
    ("busybox sh script", ["busybox", "sh"], lambda times: LOOP.format(times=times, command=COMMAND), True),
    ("Python subprocess", ["/usr/bin/python3", "-I"], lambda times: PYTHON.format(times=times, words=WORDS, shell=False), True),
    ("Python subprocess, shell=True", ["/usr/bin/python3", "-I"],
     lambda times: PYTHON.format(times=times, words=COMMAND, shell=True), False),
    ("Perl system", ["perl"], lambda times: f"system({QUOTED}) for 1..{times};\n", True),
    ("Lua os.execute", ["lua5.4"], lambda times: f'for i = 1, {times} do os.execute("{COMMAND}") end\n', False),
    ("PHP exec", ["php"], lambda times: f'<?php for ($i = 0; $i < {times}; $i++) exec("{COMMAND}");\n', False),
    ("awk (mawk) system", ["mawk", "-f"], lambda times: f'BEGIN {{ for (i = 0; i < {times}; i++) system("{COMMAND}") }}\n', False),
    ("make", ["make", "-sf"], lambda times: f"all:{times * f'''{chr(10)}{chr(9)}{COMMAND}'''}\n", True),
)


class Ways:
    def measure(self, quick):
        times, rounds = measurement.size(quick, (300, 9), (40, 3), (5, 1))
        measurement.run("ip", "netns", "add", NETNS)
        try:
            with measurement.server() as preloaded, tempfile.TemporaryDirectory(prefix="nlsh-bench-") as directory:
                rows = [self.row(name, program, line, preloaded, floor, times, rounds)
                        for name, program, line, floor in self.programs(pathlib.Path(directory))]
        finally:
            measurement.run("ip", "netns", "del", NETNS)
        return {
            "title": "However it is run",
            "ways": ["plain", "nlsh", "floor"],
            "ratios": [["plain", "nlsh"], ["plain", "floor"]],
            "note": f"A command of {times} in a row, without the program's own start. *floor*: a library that ends the process "
                    "where it would become ip. Nothing is done then; what is left is the program's own work and its fork.",
            "rows": rows,
        }

    @staticmethod
    def programs(directory):
        """Name, the words of a program that runs the line so many times, the line, and whether it has a floor."""
        def script(runner, text):
            def program(times):
                file = directory / "script"
                file.write_text(text(times), encoding="utf-8")
                return [*runner, str(file)]
            return program

        def spawn(words):
            return lambda times: [str(measurement.BUILD / "bench_spawn"), str(times), *words]
        netns = f"ip netns exec {NETNS} true"
        rows = [(name, script(runner, text), COMMAND, floor) for name, runner, text, floor in SCRIPTS]
        return [*rows, ("posix_spawn", spawn(WORDS), COMMAND, True),
                ("posix_spawn, ip netns exec", spawn(netns.split()), netns, False)]

    @staticmethod
    def row(name, program, line, preloaded, floor, times, rounds):
        """By turns; microseconds of a command. A program that runs none has taken its start."""
        builtin = {**os.environ, "BASH_ENV": str(measurement.BUILD / "builtin.bash")}
        environments = {"plain": dict(os.environ), "nlsh": builtin if name == BUILTIN else preloaded}
        if floor:
            environments["floor"] = {**os.environ, "LD_PRELOAD": str(measurement.BUILD / "libbench_floor.so")}
        samples = {way: [] for way in environments}
        for _ in range(rounds):
            for way, environment in environments.items():
                took = []
                for count in (0, times):
                    words = program(count)
                    took.append(measurement.elapsed(lambda words=words, environment=environment: measurement.run(*words, env=environment)))
                samples[way].append((took[1] - took[0]) / times)
        return {"name": name, "line": line, "ways": {way: measurement.summary(each) for way, each in samples.items()}}
