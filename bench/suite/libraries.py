"""What a program could do instead of running ip: exec, std::system, libnl-3, raw netlink; and nlsh by each way in."""

import json
import shlex

from . import measurement, namespace

# The line, and the commands before and after it.
LINES = {
    "link add": ("ip link add bench type bridge", "ip link del bench", "ip link del bench"),
    "link set up": ("ip link set bench up", "ip link del bench; ip link add bench type bridge", "ip link del bench"),
}


class Libraries:
    def measure(self, quick):
        namespace.standard()
        count, runs = measurement.size(quick, (200, 100), (20, 20), (5, 2))
        with measurement.server() as environment:
            by_server = self.direct(count, environment)
            in_process = self.direct(count, measurement.in_process())
            rows = []
            for name, (line, before, after) in LINES.items():
                ways = {way: measurement.summary(samples) for way, samples in by_server[name].items()}
                ways["nlsh, server"] = ways.pop("nlsh")
                ways["nlsh, in process"] = measurement.summary(in_process[name]["nlsh"])
                for way, command in {
                    "ip (hyperfine)": line,
                    "nlsh -c": shlex.join([measurement.NLSH, "-c", line]),
                    "shim": f"{measurement.NLSH} {line}",
                }.items():
                    ways[way] = measurement.hyperfine(command, runs, "--prepare", self.quiet(before))
                measurement.run("sh", "-c", after)
                rows.append({"name": name, "line": line, "ways": ways})
        return {
            "title": "One operation by each way",
            "ways": ["exec", "system", "libnl-3", "raw netlink", "nlsh, server", "nlsh, in process", "ip (hyperfine)", "nlsh -c", "shim"],
            "ratios": [
                ["system", "nlsh, server"],
                ["system", "nlsh, in process"],
                ["system", "raw netlink"],
                ["libnl-3", "nlsh, in process"],
                ["ip (hyperfine)", "nlsh -c"],
                ["ip (hyperfine)", "shim"],
            ],
            "note": "A bridge is added, set up and removed, again and again. The kernel takes 35 ms to remove one, so an addition finds cold caches.",
            "rows": rows,
        }

    @staticmethod
    def direct(count, environment):
        return json.loads(measurement.run(measurement.BUILD / "bench_libraries", count, env=environment))

    @staticmethod
    def quiet(lines):
        return f"sh -c {shlex.quote(f'({lines}) 2>/dev/null; true')}"
