"""Debian's packages that run `ip` and `bridge` often, unmodified, with nlsh instead: output and final network must be the same.

foreign-packages [--by WAYS] [NAME…]     of packages/NAME.sh; downloads the packages the first time (build/foreign/debs)

Each script runs with the real tools and by each way, in a throw-away copy of this machine with its packages unpacked. Status 1 if
something differs, 77 if there is no mirror.
"""

import argparse
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from runner import groups, paths

from .tally import count_calls, words
from .ways import REAL, Way, add_option

SCRIPTS = paths.TESTS / "packages"
DEBS = paths.ROOT / "build" / "foreign" / "debs"
LIMIT = 300

_DOWNLOAD = """
download() { apt-get -q download -o APT::Sandbox::User=root "$@"; }
download "$@" || { apt-get -q update && download "$@"; }
"""
# Mount /sys again: it shows the network namespace that mounted it.
_RUN = """
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive
mount -t sysfs sys /sys
mount -t tmpfs -o mode=755 run /run && mkdir -p /run/lock
cd {scripts}
{before}
began=$(date +%s.%N)
env NLSH_TRACE=/run/trace {environment} timeout {limit} ./{name}.sh >{results}/output 2>&1 </dev/null
echo "status $?" >>{results}/output
ended=$(date +%s.%N)
times >{results}/children
echo $began $ended $([ -z "${{server:-}}" ] || cut -d' ' -f14,15 /proc/$server/stat) >{results}/times
./state >{results}/state 2>&1
[ ! -e /run/trace ] || cp /run/trace {results}/trace
[ -z "${{server:-}}" ] || kill "$server"
"""


@dataclass(frozen=True)
class Script:
    """packages/NAME.sh; its lines `# packages: …` name the packages."""

    name: str

    @property
    def packages(self) -> list[str]:
        return " ".join(re.findall(r"^# packages: (.*)$", (SCRIPTS / f"{self.name}.sh").read_text(), re.M)).split()

    def fetch(self):
        folder = DEBS / self.name
        said = " ".join(self.packages)
        if (folder / "said").exists() and (folder / "said").read_text() == said:
            return
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["sh", "-c", _DOWNLOAD, "sh", *self.packages], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (folder / "said").write_text(said)

    def versions(self) -> str:
        names = sorted(path.name.split("_")[:2] for path in (DEBS / self.name).glob("*.deb"))
        return ", ".join(f"{name} {version.replace('%3a', ':')}" for name, version in names)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="foreign-packages", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="of packages/NAME.sh (default: all)")
    add_option(parser)
    parser.add_argument("--keep", type=Path, help="keep outputs, states and traces in this folder")
    parser.add_argument("--table", type=Path, help="write the results to this file, too, as a table")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def _processor_seconds(children: str, server: list[str]) -> float:
    """Processor time of the shell's children, as in times(1), and of the server, in ticks. Running daemons count in neither."""
    spent = sum(60 * int(minutes) + float(seconds) for minutes, seconds in re.findall(r"(\d+)m([\d.]+)s", children))
    return spent + sum(map(int, server)) / os.sysconf("SC_CLK_TCK")


def _run(script: Script, way: Way) -> dict:
    """Runs the script once, in the copy."""
    with tempfile.TemporaryDirectory() as temporary:
        results = Path(temporary)
        before, environment = way.script(Path("/run"))
        text = _RUN.format(scripts=SCRIPTS, before=before, environment=environment, limit=LIMIT, name=script.name, results=results)
        command = ["unshare", "-n", "-m", "bash", "-c", text]
        subprocess.run(command, timeout=LIMIT + 60)
        began, ended, *server = (results / "times").read_text().split()
        (results / "trace").touch()
        return {what: (results / what).read_text(errors="replace") for what in ("output", "state", "trace")} | {
            "seconds": float(ended) - float(began),
            "processor": _processor_seconds((results / "children").read_text().splitlines()[-1], server),
            "calls": count_calls(results / "trace"),
        }


def inside(script: Script, ways: list[Way]) -> int:
    """Unpacks the packages in the copy, and prints the result of each run."""
    for package in sorted((DEBS / script.name).glob("*.deb")):
        # tar keeps links to directories (/bin); dpkg-deb -x would replace them.
        subprocess.run(["sh", "-c", 'dpkg-deb --fsys-tarfile "$0" | tar -x --keep-directory-symlink -C /', package], check=True)
    json.dump([_run(script, way) for way in (REAL, *ways)], sys.stdout)
    return 0


def _keep(folder: Path, script: Script, way: Way, run: dict):
    folder.mkdir(parents=True, exist_ok=True)
    for what in ("output", "state", "trace"):
        (folder / f"{script.name}.{way.name}.{what}").write_text(run[what])


def _compare(script: Script, ways: list[Way], rows: list[str], keep: Path | None) -> bool:
    done = subprocess.run(
        [
            paths.TESTS / "overlay",
            'cd "$1" && shift && exec python3 -B -m suites.packages --inside "$@"',
            paths.TESTS,
            "--by",
            ",".join(way.name for way in ways),
            script.name,
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode != 0:
        print(f"could not run  {script.name}: status {done.returncode}", flush=True)
        return False
    real, *others = runs = json.loads(done.stdout)
    if keep:
        for way, run in zip((REAL, *ways), runs):
            _keep(keep, script, way, run)
    good = real["output"].endswith("status 0\n")  # a script that fails with the real tools proves nothing
    if not good:
        print(f"FAILED by the real tools  {script.name}\n{real['output']}", flush=True)
    for way, ours in zip(ways, others):
        differences = [
            line
            for what in ("output", "state")
            for line in difflib.unified_diff(
                real[what].splitlines(), ours[what].splitlines(), f"{what}, real", f"{what}, {way.name}", lineterm="", n=1
            )
        ]
        verdict = "DIFFERENT" if differences else "same"
        lines = f"{len(real['output'].splitlines())} lines of output, {len(real['state'].splitlines())} of state"
        print(
            f"{verdict}  {script.name}, by the {way.name}  ({lines}; {words(ours['calls'])}; {real['seconds']:.2f} s, "
            f"{ours['seconds']:.2f} s; processor {real['processor']:.2f} s, {ours['processor']:.2f} s)",
            *differences,
            sep="\n    ",
            flush=True,
        )
        rows.append(
            f"| {script.name}: {script.versions()} | {way.name} | {verdict}: {lines} | "
            f"{words(ours['calls'])} | {real['seconds']:.2f} | {ours['seconds']:.2f} | {real['processor']:.2f} | {ours['processor']:.2f} |"
        )
        good &= not differences
    return good


def main() -> int:
    groups.end_with_runner()
    arguments = _arguments()
    scripts = [Script(name) for name in arguments.names or sorted(path.stem for path in SCRIPTS.glob("*.sh"))]
    if arguments.inside:
        return inside(scripts[0], arguments.by)
    rows: list[str] = []
    good = True
    for script in scripts:
        try:
            script.fetch()
        except subprocess.CalledProcessError:
            print(f"could not run  {script.name}: no mirror has its packages", flush=True)
            return 77
        good &= _compare(script, arguments.by, rows, arguments.keep)
    if arguments.table:
        arguments.table.write_text(
            "| packages | by | outcome | calls | real, s | nlsh, s | real, processor s | nlsh, processor s |\n"
            "|---|---|---|---|--:|--:|--:|--:|\n" + "\n".join(rows) + "\n"
        )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
