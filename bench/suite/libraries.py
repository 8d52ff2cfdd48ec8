"""What a program could do instead of running ip: exec, std::system, libnl-3, raw netlink; and nlsh by each way in."""
import json
import shlex

from . import measurement, namespace

LINES = {"link add": ("ip link add bench type bridge", "ip link del bench"), "link set up": ("ip link set v0 up", None)}


class Libraries:
    def measure(self, quick):
        namespace.standard()
        count, runs = (20, 20) if quick else (200, 100)
        direct = json.loads(measurement.run(measurement.BUILD / "bench_libraries", count))
        rows = []
        with measurement.server() as environment:
            for name, (line, undo) in LINES.items():
                ways = {way: measurement.summary(samples) for way, samples in direct[name].items()}
                for way, variables in {"system": None, "nlsh, server": environment,
                                       "nlsh, in process": measurement.in_process()}.items():
                    ways[way] = self.sequence(line, undo, variables, count)
                prepare = ["--prepare", f"{undo}; true"] if undo else []
                for way, command in {"ip (hyperfine)": line, "nlsh -c": shlex.join([measurement.NLSH, "-c", line]),
                                     "shim": f"{measurement.NLSH} {line}"}.items():
                    ways[way] = measurement.hyperfine(command, runs, *map(self.quiet, prepare))
                if undo:
                    measurement.run(*undo.split())
                rows.append({"name": name, "line": line, "ways": ways})
        return {
            "title": "One operation by each way",
            "ways": ["exec", "system", "libnl-3", "raw netlink", "nlsh, server", "nlsh, in process", "ip (hyperfine)",
                     "nlsh -c", "shim"],
            "ratios": [["system", "nlsh, server"], ["system", "nlsh, in process"], ["libnl-3", "nlsh, in process"],
                       ["ip (hyperfine)", "nlsh -c"], ["ip (hyperfine)", "shim"]],
            "note": "libnl-3 finds the link before it changes it, as its examples do.",
            "rows": rows,
        }

    @staticmethod
    def quiet(option):
        return option if option.startswith("--") else f"sh -c {shlex.quote(option + ' 2>/dev/null')}"

    @staticmethod
    def sequence(line, undo, variables, count):
        """Times of `line` only."""
        lines = [line] * count if not undo else [line, undo] * count
        samples = measurement.sequence("system", lines, variables)
        return measurement.summary(samples if not undo else samples[::2])
