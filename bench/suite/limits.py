"""Compares a popen with the least that any popen must do (bench/limit.c)."""

from . import measurement, namespace, turns
from .lines import LINES

GROUP = 25  # each way makes so many calls in a turn
OF_LIMITS = ("pipe", "limit in process", "with checks, in process", "limit by a server", "with checks, by a server")


def limit(line, environments, rounds):
    """{name of the environment: {way: microseconds}}."""
    with measurement.requests_file([measurement.NLSH, "-q", "-c", line]) as requests:
        return turns.on_one_processor([measurement.BUILD / "bench_limit", line, requests, GROUP], environments, rounds)


class Limits:
    def measure(self, quick):
        namespace.standard()
        rounds = measurement.size(quick, 200, 20, 2)
        with measurement.server() as environment:
            environments = {"server": environment, "in process": measurement.in_process()}
            rows = [self.row(name, line, environments, rounds) for name, line in LINES.items()]
        return {
            "title": "A popen beside its limit",
            "ways": [*OF_LIMITS, "in-process popen", "nlsh popen"],
            "ratios": [
                ["in-process popen", "limit in process"],
                ["nlsh popen", "limit by a server"],
                ["in-process popen", "with checks, in process"],
                ["nlsh popen", "with checks, by a server"],
            ],
            "note": "*limit*: a pipe, a stream, the bare requests and their output; *by a server*: another process on this processor sends them. "
            "*with checks*: the same with nlsh's checks of its caller ([system-calls.md](../packaging/docs/system-calls.md)), their answers "
            "unused. On one processor, in turns of 25 calls.",
            "rows": rows,
        }

    @staticmethod
    def row(name, line, environments, rounds):
        found = limit(line, environments, rounds)
        ways = {way: measurement.summary(found["server"][way] + found["in process"][way]) for way in OF_LIMITS}
        ways["nlsh popen"] = measurement.summary(found["server"]["popen"])
        ways["in-process popen"] = measurement.summary(found["in process"]["popen"])
        return {"name": name, "line": line, "native": measurement.native(line), "ways": ways}
