"""Compares a caller outside the server's network namespace, as in a container, with one inside."""

import os

from . import measurement, namespace

LINES = {"link set mtu": "ip link set v0 mtu 1500", "fdb replace": "bridge fdb replace 00:11:22:33:44:66 dev v0 master static"}
ROUNDS = 4


class Namespaces:
    def measure(self, quick):
        calls = measurement.size(quick, 10_000, 200, 20) // ROUNDS
        namespace.standard()
        rows = []
        with measurement.server() as environment:
            places = {"own": os.open("/proc/self/ns/net", os.O_RDONLY)}
            namespace.enter_new()
            namespace.standard()
            places["another"] = os.open("/proc/self/ns/net", os.O_RDONLY)
            for name, line in LINES.items():
                samples = {}
                for _ in range(ROUNDS):  # by turns
                    for place, file in places.items():
                        namespace.enter(file)
                        for way, times in measurement.samples(line, environment, calls, 0).items():
                            samples.setdefault(f"{way}, {place}" if way != "raw" else way, []).extend(times)
                rows.append(
                    {
                        "name": name,
                        "line": line,
                        "native": measurement.native(line),
                        "ways": {way: measurement.summary(times) for way, times in samples.items()},
                    }
                )
            namespace.enter(places["own"])
        return {
            "title": "A caller in another network namespace",
            "ratios": [],
            "ways": [f"nlsh {way}, {place}" for way in ("popen", "system") for place in places] + ["raw"],
            "above": [[f"nlsh {way}, another", f"nlsh {way}, own"] for way in ("popen", "system")],
            "note": "One server.",
            "rows": rows,
        }
