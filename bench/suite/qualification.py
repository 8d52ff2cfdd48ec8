"""What `nlsh qualify` takes on an unknown build (this machine's under another build id), where users are: as root, as a user, in a mount
namespace without /proc, in SONiC's container, which has no CAP_SYS_ADMIN."""

import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

from . import measurement
from .places import TESTS, Unavailable
from .ways import usual

CGROUPS = pathlib.Path("/sys/fs/cgroup")
# The file that has a group's peak: of cgroup v2, and of v1's own hierarchy.
PEAKS = {CGROUPS: "memory.peak", CGROUPS / "memory": "memory.max_usage_in_bytes"}
COUNTS = re.compile(r"^(?:ip|bridge): .*; rows: (\d+) proven, (\d+) contradicted, (\d+) unproven", re.M)
NOBODY = 65534
AS_USER = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
WITHOUT_PROC = ("unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh")
# Copies the container's own tools, which are another build than this machine's.
IN_CONTAINER = """set -e
mkdir -p /tmp/q/tools; cd /tmp/q
for tool in ip bridge; do python3 -B {tests}/builds/other_build.py $tool; done
export NLSH_BUILDS=/tmp/q/qualified NLSH_REAL_IP=/tmp/q/tools/ip NLSH_REAL_BRIDGE=/tmp/q/tools/bridge
TIMEFORMAT='%R %U %S'; time {nlsh} qualify 2>/dev/null
"""


class Group:
    """A memory cgroup of its own. Where none can be made, no memory is measured."""

    def __enter__(self):
        self.path = self.peak = None
        for hierarchy, peak in PEAKS.items():
            path = hierarchy / f"nlsh-bench.{os.getpid()}"
            try:
                path.mkdir()
            except OSError:
                continue
            if (path / peak).exists():
                self.path, self.peak = path, path / peak
                break
            path.rmdir()
        return self

    def __exit__(self, *_):
        if self.path:
            self.path.rmdir()

    def enter(self):
        if self.path:
            (self.path / "cgroup.procs").write_text(str(os.getpid()))

    def peak_mib(self):
        return {"MiB": int(self.peak.read_text()) / (1 << 20)} if self.peak else {}


def counts(text):
    found = [list(map(int, each)) for each in COUNTS.findall(text)]
    if len(found) != 2:
        raise RuntimeError(f"not qualified: {text}")
    return dict(zip(("proven", "contradicted", "unproven"), map(float, map(sum, zip(*found)))))


def used():
    of_children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return of_children.ru_utime + of_children.ru_stime


def here(around, environment):
    with Group() as group:
        before, started = used(), time.monotonic()
        words = [*around, measurement.NLSH, "qualify"]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, preexec_fn=group.enter, check=False)
        return {
            "time": time.monotonic() - started,
            "processor time": used() - before,
            **group.peak_mib(),
            **counts(done.stdout),
        }


def in_container():
    script = IN_CONTAINER.format(tests=TESTS, nlsh=measurement.NLSH)
    done = subprocess.run([TESTS / "containers" / "in_swss", script], capture_output=True, text=True, env=usual(os.environ), check=False)
    if done.returncode == 77:
        raise Unavailable(done.stdout.strip())
    times = re.search(r"^([\d.]+) ([\d.]+) ([\d.]+)$", done.stderr + done.stdout, re.M)
    if not times:
        raise RuntimeError(f"{done.returncode}: {done.stderr}{done.stdout}")
    whole, user, system = map(float, times.groups())
    return {"time": whole, "processor time": user + system, **counts(done.stdout)}


def unknown_build(folder):
    """The environment in which nlsh takes copies under other build ids for the real tools."""
    sys.path.insert(0, str(TESTS))
    from runner import unknown  # noqa: PLC0415

    unknown.make_tools(folder)
    home = folder / "home"
    home.mkdir()
    shutil.chown(home, NOBODY, NOBODY)
    return usual(os.environ) | unknown.environment(folder) | {"HOME": str(home)}


def median(way, values):
    return measurement.summary([1e6 * value for value in values]) if way.endswith("time") else sorted(values)[len(values) // 2]


class Qualification:
    def measure(self, quick):
        missing, rows = "", []
        with tempfile.TemporaryDirectory(prefix="nlsh-bench-") as folder:
            environment = unknown_build(pathlib.Path(folder))
            places = {
                "root": lambda: here((), environment),
                "a user without rights": lambda: here(AS_USER, environment),
                "root, without /proc": lambda: here(WITHOUT_PROC, environment),
                "SONiC's container": in_container,
            }
            for name, measure in places.items():
                try:
                    runs = [measure() for _ in range(measurement.size(quick, 3, 1, 1))]
                except Unavailable as reason:
                    missing += f" Not measured: {name} ({reason})."
                    continue
                rows.append({"name": name, "ways": {way: median(way, [run[way] for run in runs]) for way in runs[0]}})
        return {
            "title": "Qualifying an unknown build",
            "ways": ["time", "processor time", "MiB", "proven", "contradicted", "unproven"],
            "ratios": [],
            "note": f"`nlsh qualify`; *MiB*: of all its processes, with the files that they read; then rows of `ip` and `bridge`.{missing}",
            "rows": rows,
        }
