"""How the cost and the server's memory grow with clients, routes, links and workers."""

import json
import os
import re
import tempfile

from . import measurement, namespace
from .shows import add_routes

LINE = "ip link set v0 mtu 1500"


def memory(process):
    """The server's resident KiB, threads and descriptors."""
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
        status = dict(re.findall(r"^(\w+):\s+(\d+)", file.read(), re.M))
    return {
        "server, KiB": int(status["VmRSS"]),
        "at most, KiB": int(status["VmHWM"]),
        "threads": int(status["Threads"]),
        "descriptors": len(os.listdir(f"/proc/{process.pid}/fd")),
    }


def clients(count, milliseconds, environment):
    done = json.loads(measurement.run(measurement.BUILD / "bench_clients", LINE, count, milliseconds, "pinned", env=environment))
    return {"calls a second": sum(done["calls"]) * 1000 / milliseconds, "p99, µs": done["p99"]}


def waits_for_locks(count, milliseconds):
    """Calls of futex(2) in a thousand calls. A thread calls it when a lock is taken, or to wake a waiter. This is an upper bound,
    because strace delays the threads."""
    with tempfile.NamedTemporaryFile("r", prefix="nlsh-bench-") as log:
        with measurement.serving(
            "strace", "-D", "-f", "-qq", "--seccomp-bpf", "-e", "trace=futex", "-e", "signal=none", "-o", log.name
        ) as (environment, _):
            clients(count, milliseconds, environment)  # start the threads and make the connections first
            log.read()
            calls = clients(count, milliseconds, environment)["calls a second"] * milliseconds / 1000
            return 1000 * len(log.read().splitlines()) / calls


def one_call(environment, calls):
    ways = measurement.calls(LINE, environment, calls, 0)
    return {way: ways[way] for way in ("nlsh system", "raw")}


class Scale:
    def measure(self, quick):
        namespace.standard()
        self.milliseconds = measurement.size(quick, 2000, 200, 200)
        self.calls = measurement.size(quick, 3000, 200, 20)
        rows = self.by_clients(measurement.size(quick, (1, 4, 16, 64, 256), (1, 64), (1, 4)))
        rows += self.by_routes(measurement.size(quick, (1000, 100_000, 1_000_000), (1000, 20_000), (100, 1000)))
        rows += self.by_links(measurement.size(quick, (10, 1000, 10_000), (10, 300), (10, 20)))
        return {
            "title": "How it grows",
            "ratios": [["nlsh system", "raw"]],
            "ways": [
                "calls a second",
                "p99, µs",
                "waits for locks, of 1000 calls",
                "nlsh system",
                "raw",
                "show",
                "server, KiB",
                "at most, KiB",
                "threads",
                "descriptors",
            ],
            "note": "Calls run `ip link set v0 mtu 1500`. *server*: resident memory after them. *show*: all routes or links, by popen.",
            "rows": rows,
        }

    def by_clients(self, counts):
        rows = []
        one = {min(os.sched_getaffinity(0))}
        for name, count, processors in [(f"{count} clients", count, os.sched_getaffinity(0)) for count in counts] + [
            (f"{counts[-1]} clients, one processor", counts[-1], one)
        ]:
            rows.append({"name": name, "line": LINE, "ways": measurement.on_processors(processors, self.load, count)})
        return rows

    def load(self, count):
        with measurement.serving() as (environment, server):
            ways = clients(count, self.milliseconds, environment) | memory(server)
        return ways | {"waits for locks, of 1000 calls": waits_for_locks(count, self.milliseconds)}

    def table(self, name, show):
        with measurement.serving() as (environment, server):
            ways = one_call(environment, self.calls)
            ways["show"] = measurement.summary(measurement.sequence("popen", [show] * 3, environment))
            return {"name": name, "line": f"{LINE}; {show}", "ways": ways | memory(server)}

    def by_routes(self, counts):
        rows, there = [], 0
        for count in counts:
            add_routes(range(there, count))
            there = count
            rows.append(self.table(f"{count:,} routes", "ip route show"))
        measurement.configure(["link set v1 down", "link set v1 up"])  # removes the routes
        return rows

    def by_links(self, counts):
        rows = []
        for count in counts:
            namespace.many_links(count)
            rows.append(self.table(f"{count:,} links", "ip link show"))
            namespace.remove_links()
        return rows
