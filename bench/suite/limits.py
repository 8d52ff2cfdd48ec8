"""A popen beside what no popen can do without: bench/limit.c."""

from . import measurement, namespace, turns
from .lines import LINES

GROUP = 25  # calls of each way in a turn
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
            "note": "*pipe*: a pipe and a stream as libc's popen makes them, read to the end and closed. *limit in process*: the same, with the bare "
            "requests and the output. *limit by a server*: the same, but another process on the same processor sends the requests; it is asked "
            "over a unix socket. *with checks*: the same, and the system calls by which nlsh makes sure of what its caller may have changed since "
            "the last call (packaging/docs/system-calls.md), with nothing made of their answers. All on one processor, in turns of 25 calls.",
            "rows": rows,
        }

    @staticmethod
    def row(name, line, environments, rounds):
        found = limit(line, environments, rounds)
        ways = {way: measurement.summary(found["server"][way] + found["in process"][way]) for way in OF_LIMITS}
        ways["nlsh popen"] = measurement.summary(found["server"]["popen"])
        ways["in-process popen"] = measurement.summary(found["in process"]["popen"])
        return {"name": name, "line": line, "native": measurement.native(line), "ways": ways}
