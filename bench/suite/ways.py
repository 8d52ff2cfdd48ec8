"""However a program runs ip: a command of scripts, of Python's subprocess, of posix_spawn, with the real ip, with nlsh by
the preload, and with a library that ends the process where it would exec (bench/floor.c): what the fork alone costs."""
import os
import tempfile

from . import measurement

COMMAND = "ip link set lo mtu 65536"
NETNS = "bench-ways"
SCRIPT = "i=0; while [ $i -lt {times} ]; do {command}; i=$((i + 1)); done\n"
PYTHON = "import subprocess\nfor i in range({times}): subprocess.run({words!r}, shell={shell})\n"


class Ways:
    def measure(self, quick):
        times, rounds = measurement.size(quick, (300, 9), (40, 3), (5, 1))
        measurement.run("ip", "netns", "add", NETNS)
        try:
            with measurement.server() as preloaded, tempfile.TemporaryDirectory(prefix="nlsh-bench-") as directory:
                rows = [self.row(name, command, line, preloaded, times, rounds)
                        for name, command, line in self.programs(directory, times)]
        finally:
            measurement.run("ip", "netns", "del", NETNS)
        return {
            "title": "However it is run",
            "ways": ["plain", "nlsh", "floor"],
            "ratios": [["plain", "nlsh"], ["plain", "floor"]],
            "note": f"A command of {times} in a row. *floor*: a library that ends the process where it would become ip. Nothing "
                    "is done then; what is left is the program's own work and its fork.",
            "rows": rows,
        }

    @staticmethod
    def programs(directory, times):
        """Name, words of the program, the line that it runs."""
        netns = f"ip netns exec {NETNS} true"

        def file(name, text):
            with open(f"{directory}/{name}", "w", encoding="utf-8") as script:
                script.write(text)
            return f"{directory}/{name}"
        script = file("script", SCRIPT.format(times=times, command=COMMAND))
        python = ["/usr/bin/python3", "-I"]
        return [
            ("sh (dash) script", ["dash", script], COMMAND),
            ("bash script", ["bash", script], COMMAND),
            ("Python subprocess", [*python, file("words", PYTHON.format(times=times, words=COMMAND.split(), shell=False))], COMMAND),
            ("Python subprocess, shell=True", [*python, file("line", PYTHON.format(times=times, words=COMMAND, shell=True))], COMMAND),
            ("posix_spawn", [measurement.BUILD / "bench_spawn", str(times), *COMMAND.split()], COMMAND),
            ("posix_spawn, ip netns exec", [measurement.BUILD / "bench_spawn", str(times), *netns.split()], netns),
        ]

    @staticmethod
    def row(name, command, line, preloaded, times, rounds):
        """By turns; microseconds of a command. A shell's line is not the floor library's."""
        environments = {"plain": dict(os.environ), "nlsh": preloaded,
                        "floor": {**os.environ, "LD_PRELOAD": str(measurement.BUILD / "libbench_floor.so")}}
        if "shell" in name or "netns" in name:
            del environments["floor"]
        samples = {way: [] for way in environments}
        for _ in range(rounds):
            for way, environment in environments.items():
                took = measurement.elapsed(lambda environment=environment: measurement.run(*command, env=environment))
                samples[way].append(took / times)
        return {"name": name, "line": line, "ways": {way: measurement.summary(each) for way, each in samples.items()}}
