"""The kernel's time for one operation, by each of its interfaces."""

import json

from . import measurement, namespace


class Transports:
    def measure(self, quick):
        namespace.standard()
        measurement.run("mount", "-t", "sysfs", "sysfs", "/sys")
        times = json.loads(measurement.run(measurement.BUILD / "bench_transports", "v0", 200 if quick else 10000))
        rows = [{"name": way, "ways": {"time": measurement.summary(samples)}} for way, samples in times.items()]
        return {"title": "Transports of one operation", "ways": ["time"], "ratios": [], "rows": rows}


class Echo:
    def measure(self, quick):
        sockets = [1, 2, 4, 16]
        rows = []
        for size in (1024, 2048, 4096, 8192):
            ways = {
                f"{count} sockets": float(measurement.run(measurement.BUILD / "bench_echo", size, count, 50 if quick else 1000))
                for count in sockets
            }
            rows.append({"name": f"{size // 1024} KiB", "ways": ways})
        return {
            "title": "Netlink messages sent back, a second",
            "ways": [f"{count} sockets" for count in sockets],
            "ratios": [],
            "rows": rows,
        }
