"""Many commands in one process: `ip -batch`, the same file by nlsh, and a file of command lines."""

from . import measurement, namespace


def changes(kind, count):
    if kind == "route replace":
        return [f"route replace 10.{1 + i // 65536}.{i // 256 % 256}.{i % 256} via 10.0.0.9 dev v1" for i in range(count)]
    if kind == "neigh replace":
        return [f"neigh replace 10.0.{i // 200 % 4}.{1 + i % 200} lladdr 00:11:22:33:44:55 dev v1" for i in range(count)]
    if kind == "rule add":
        return [
            f"rule {verb} pref {1000 + i} from 10.{i >> 8 & 255}.{i & 255}.0/24 table 7"
            for i in range(count // 2)
            for verb in ("add", "del")
        ]
    if kind == "nexthop replace":
        return [f"nexthop replace id {1 + i % 200} via 10.0.0.9 dev v1" for i in range(count)]
    if kind == "fdb replace":
        return [f"fdb replace 02:00:00:00:{i >> 8:02x}:{i & 255:02x} dev v0 master static" for i in range(count)]
    return [f"link set v0 mtu {1400 + i % 100}" for i in range(count)]


PART = 10  # the plain shell runs one of so many lines


def plain(lines):
    """The time of a plain shell for all lines, estimated from a part."""
    with measurement.file_of(lines) as script:
        took = measurement.elapsed(lambda: measurement.run("sh", script)) * PART
    return {"median": took, "p99": took, "calls": 1}


class Batches:
    def measure(self, quick):
        namespace.standard()
        count, runs = measurement.size(quick, (10000, 10), (500, 5), (50, 2))
        rows = []
        for kind in ("link set mtu", "route replace", "neigh replace", "fdb replace", "rule add", "nexthop replace"):
            tool = "bridge" if kind.startswith("fdb") else "ip"
            lines = changes(kind, count)
            with measurement.file_of(lines) as batch, measurement.file_of(f"{tool} {line}" for line in lines) as script:
                ways = {
                    "ip -batch": measurement.hyperfine(f"{tool} -batch {batch}", runs),
                    "nlsh ip -batch": measurement.hyperfine(f"{measurement.NLSH} {tool} -batch {batch}", runs),
                    "nlsh ip -force": measurement.hyperfine(f"{measurement.NLSH} {tool} -force -batch {batch}", runs),
                    "raw": measurement.replay([measurement.NLSH, tool, "-batch", batch], 1, runs),
                    "raw, 64 at once": measurement.replay([measurement.NLSH, tool, "-batch", batch], 64, runs),
                    "nlsh FILE": measurement.hyperfine(f"{measurement.NLSH} {script}", runs),
                    "nlsh --force FILE": measurement.hyperfine(f"{measurement.NLSH} --force {script}", runs),
                    "plain sh FILE": plain([f"{tool} {line}" for line in lines[: len(lines) // PART]]),
                }
            rows.append({"name": f"{count} × {kind}", "line": lines[0], "ways": ways})
        return {
            "title": "Many commands in one process",
            "ways": [
                "plain sh FILE",
                "ip -batch",
                "nlsh ip -batch",
                "nlsh ip -force",
                "nlsh FILE",
                "nlsh --force FILE",
                "raw",
                "raw, 64 at once",
            ],
            "ratios": [
                ["plain sh FILE", "nlsh FILE"],
                ["ip -batch", "nlsh ip -batch"],
                ["ip -batch", "nlsh ip -force"],
                ["ip -batch", "nlsh FILE"],
                ["ip -batch", "nlsh --force FILE"],
                ["ip -batch", "raw"],
                ["ip -batch", "raw, 64 at once"],
                ["nlsh ip -batch", "raw"],
                ["nlsh ip -force", "raw, 64 at once"],
            ],
            "note": f"*plain sh FILE*: {PART} times what the first of {PART} parts takes.",
            "rows": rows,
        }
