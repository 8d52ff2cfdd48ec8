"""Many commands in one process: `ip -batch`, the same file by nlsh, and as a file of command lines."""
import tempfile

from . import measurement, namespace


def changes(kind, count):
    if kind == "route replace":
        return [f"route replace 10.{1 + i // 65536}.{i // 256 % 256}.{i % 256} via 10.0.0.9 dev v1"
                for i in range(count)]
    if kind == "neigh replace":
        return [f"neigh replace 10.0.{i // 200 % 4}.{1 + i % 200} lladdr 00:11:22:33:44:55 dev v1"
                for i in range(count)]
    return [f"link set v0 mtu {1400 + i % 100}" for i in range(count)]


class Batches:
    def measure(self, quick):
        namespace.standard()
        count, runs = (500, 5) if quick else (10000, 10)
        rows = []
        for kind in ("link set mtu", "route replace", "neigh replace"):
            with tempfile.NamedTemporaryFile("w") as batch, tempfile.NamedTemporaryFile("w") as script:
                lines = changes(kind, count)
                batch.write("".join(f"{line}\n" for line in lines))
                script.write("".join(f"ip {line}\n" for line in lines))
                batch.flush()
                script.flush()
                ways = {"ip -batch": measurement.hyperfine(f"ip -batch {batch.name}", runs),
                        "nlsh ip -batch": measurement.hyperfine(f"{measurement.NLSH} ip -batch {batch.name}", runs),
                        "nlsh FILE": measurement.hyperfine(f"{measurement.NLSH} {script.name}", runs),
                        "plain sh FILE": measurement.hyperfine(f"sh {script.name}", 2, warmup=0)}
            rows.append({"name": f"{count} × {kind}", "line": lines[0], "ways": ways})
        return {
            "title": "Many commands in one process",
            "ways": ["plain sh FILE", "ip -batch", "nlsh ip -batch", "nlsh FILE"],
            "ratios": [["plain sh FILE", "nlsh FILE"], ["ip -batch", "nlsh ip -batch"], ["ip -batch", "nlsh FILE"]],
            "rows": rows,
        }
