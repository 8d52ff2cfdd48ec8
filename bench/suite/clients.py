"""1 to 64 concurrent clients of one server; also while another process shows a large table all the time."""

import json

from . import measurement, namespace

LINE = "ip link set v0 mtu 1500"
LONG = "ip route show"
ECHO = "echo"


class Clients:
    def measure(self, quick):
        namespace.standard()
        measurement.configure([f"route add 20.0.{i >> 8}.{i & 255} via 10.0.0.9 dev v1" for i in range(2000 if quick else 50000)])
        rows = []
        counts = (1, 4, 64) if quick else (1, 2, 4, 8, 16, 32, 64)
        with measurement.server() as environment:
            for name, count, placing in [(f"{count} clients", count, "pinned") for count in counts] + [
                (f"{counts[-1]} clients, free to move", counts[-1], "free")
            ]:
                ways = self.run(count, quick, environment, placing)
                echo = self.run(count, quick, environment, placing, line=ECHO)
                ways |= {"echo": echo["calls a second"], "echo, fewest : most, %": echo["fewest : most, %"]}
                rows.append({"name": name, "line": LINE, "ways": ways})
            ways = self.run(8, quick, environment, "pinned", LONG)
            rows.append({"name": "8 clients and a long show", "line": LONG, "ways": ways})
        for row in rows:
            row["ways"]["of one client, %"] = 100 * row["ways"]["calls a second"] / rows[0]["ways"]["calls a second"]
        for way in "calls a second", "echo":
            best = max(row["ways"].get(way, 0) for row in rows)
            for row in rows:
                if way in row["ways"]:
                    row["ways"][f"{way}, of the best, %"] = 100 * row["ways"][way] / best
        return {
            "title": "Many clients",
            "ways": [
                "calls a second",
                "of one client, %",
                "calls a second, of the best, %",
                "echo, of the best, %",
                "fewest : most, %",
                "echo, fewest : most, %",
                "p99, µs",
                "longest, µs",
            ],
            "note": "Clients stay on a processor, except those *free to move*. `results/clients.json` compares with a "
            "server that only answers.",
            "ratios": [],
            "rows": rows,
        }

    @staticmethod
    def run(count, quick, environment, placing, *long, line=LINE):
        milliseconds = measurement.size(quick, 3000, 200, 100)
        done = json.loads(measurement.run(measurement.BUILD / "bench_clients", line, count, milliseconds, placing, *long, env=environment))
        return {
            "calls a second": sum(done["calls"]) * 1000 / milliseconds,
            "fewest : most, %": 100 * min(done["calls"]) / max(done["calls"]),
            "p99, µs": done["p99"],
            "longest, µs": done["longest"],
        }
