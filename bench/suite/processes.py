"""A command as its own process, by hyperfine: the real tool, `nlsh -c`, and nlsh as `ip` first in PATH."""

import os
import shlex
import shutil
import tempfile

from . import measurement, namespace
from .lines import CHAIN, LINES


def process(line):
    """The words that a program would exec: a shell only if the line needs one."""
    if line.startswith("/bin/bash -c"):
        return shlex.join(["/bin/bash", "-c", CHAIN])
    return shlex.join(["/bin/sh", "-c", line]) if "|" in line else line


class Processes:
    def measure(self, quick):
        namespace.standard()
        runs = measurement.size(quick, 300, 20, 2)
        path = os.environ["PATH"]
        rows = []
        with tempfile.TemporaryDirectory(prefix="nlsh-bench-") as shims:
            # A copy, as an installation makes it: the linker's own output starts more slowly, because the page cache holds it in smaller
            # pieces.
            nlsh = shutil.copy(measurement.NLSH, shims)
            for tool in ("ip", "bridge"):
                os.symlink(nlsh, f"{shims}/{tool}")
            for name, line in LINES.items():
                ways = {
                    "real": measurement.hyperfine(process(line), runs),
                    "nlsh -c": measurement.hyperfine(shlex.join([nlsh, "-c", line]), runs),
                }
                os.environ["PATH"] = f"{shims}:{path}"
                ways["shim"] = measurement.hyperfine(process(line), runs)
                os.environ["PATH"] = path
                rows.append({"name": name, "line": line, "native": measurement.native(line), "ways": ways})
            rows.append(
                {
                    "name": "nothing",
                    "line": ":",
                    "ways": {
                        "empty program": measurement.hyperfine(str(measurement.BUILD / "bench_empty"), runs),
                        "nlsh -c": measurement.hyperfine(shlex.join([nlsh, "-c", ":"]), runs),
                    },
                }
            )
        return {
            "title": "A command as a process",
            "ways": ["real", "nlsh -c", "shim", "empty program"],
            "ratios": [["real", "nlsh -c"], ["real", "shim"], ["nlsh -c", "empty program"]],
            "note": "By hyperfine. *empty program*: static, does nothing.",
            "rows": rows,
        }
