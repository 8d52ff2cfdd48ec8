"""python3 -m runner host|guest [FILES…] [--ways …] [--jobs N], exec -- COMMAND in the guest, or inside SUITE COMMAND."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from . import build, debian, groups, guest, lane, paths, recording, report, scenario, short, unknown
from .ways import REFERENCE, WAYS


def _arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="runner", description=__doc__)
    parser.add_argument("lane", choices=("host", "guest"))
    parser.add_argument("files", nargs="*", type=Path, help="scenario files (default: all)")
    parser.add_argument(
        "--ways",
        help=f"comma-separated, of {','.join(WAYS)} (default: all; in the guest, where "
        "fork and exec are slow, preload-popen, except for swss.scn)",
    )
    parser.add_argument("--reference", action="store_true", help="the real tools against themselves")
    parser.add_argument("--debian", choices=debian.SUITES, help="whose iproute2 is the reference (default: this machine's)")
    parser.add_argument("--kernel", choices=debian.SUITES[1:], help="guest: whose User-Mode Linux (default: this machine's)")
    parser.add_argument("--all", action="store_true", help="guest: also the blocks that the host can run")
    parser.add_argument("--short", action="store_true", help="only the blocks that runner/short.py chooses")
    parser.add_argument("--block", default="", help="only blocks whose title contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--show", type=int, default=20, help="failures to show (default: %(default)s)")
    parser.add_argument("--results", type=Path, help="the JSON file")
    parser.add_argument("--ratchet", action="store_true", help="fail when less is proven than before")
    parser.add_argument("--update-ratchet", action="store_true")
    parser.add_argument("--unknown", action="store_true", help="the reference as a build that nobody has written down, by nlsh-c")
    parser.add_argument("--patched", action="store_true", help="the same, its bridge with SONiC's patch (builds/protocols.c)")
    parser.add_argument("--record", type=Path, metavar="FILE", help="what lines ask the kernel, for replay/pack; by nlsh-c alone")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--qualified", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--shard", default="0/1", help=argparse.SUPPRESS)
    return parser.parse_intermixed_args(argv)


def _blocks(arguments: argparse.Namespace) -> list[scenario.Block]:
    files = arguments.files or sorted(paths.SCENARIOS.glob("*.scn"))
    blocks = [block for file in files for block in scenario.read(file, debian.version()) if arguments.block in block.title]
    if arguments.lane == "guest" and not arguments.all and not arguments.reference:
        blocks = [block for block in blocks if block.wants_guest]
    if arguments.short:
        if arguments.lane == "host":  # what it may lack is the guest's to show
            blocks = [block for block in blocks if not block.wants_guest]
        chosen = short.cover(blocks)
        print(f"{len(chosen)} of {len(blocks)} blocks; the other {len(blocks) - len(chosen)} are for the long run", flush=True)
        blocks = chosen
    shard, shards = map(int, arguments.shard.split("/"))
    return blocks[shard::shards]


def _ways(arguments: argparse.Namespace) -> lane.Choice:
    if arguments.reference:
        return lane.Choice([REFERENCE])
    if arguments.record or arguments.unknown or arguments.patched:
        return lane.Choice([WAYS["nlsh-c"]])
    if arguments.ways:
        return lane.Choice([WAYS[name] for name in arguments.ways.split(",")])
    usual = [way for way in WAYS.values() if not way.in_process]
    few = {WAYS["preload-popen"]} if arguments.lane == "guest" else set(usual)
    return lane.Choice(usual, lambda block, way: way in few or block.file == "swss")


def _finish(arguments: argparse.Namespace, verdicts: list, started: float) -> int:
    label = debian.label(arguments.lane, arguments.debian, arguments.kernel)
    what = "".join(f"-{name}" for name in ("reference", "unknown", "patched") if getattr(arguments, name))
    results = arguments.results or paths.RESULTS / f"{label}{what}.json"
    report.write(results, verdicts)
    if arguments.inside:
        return 0
    report.show(verdicts, arguments.show)
    print(f"{time.monotonic() - started:.0f} s; {results}")
    good = not any(map(report.failed, verdicts))
    if arguments.ratchet or arguments.update_ratchet:
        good &= report.ratchet(label, verdicts, arguments.update_ratchet)
    return 0 if good else 1


def _run(arguments: argparse.Namespace, argv: list[str], blocks: list[scenario.Block], unknown_build: Path | None) -> list:
    if arguments.lane == "guest" and not arguments.inside:
        return guest.run(argv, blocks, arguments.jobs, arguments.record, unknown_build)
    recorded = None
    if arguments.record:
        subprocess.run([paths.NLSH, "qualify", "--if-needed"], stdout=subprocess.DEVNULL)  # finds the traits of an unknown build
        recorded = recording.Recording(arguments.record, arguments.inside)
    return lane.run(blocks, arguments.lane, _ways(arguments), 1 if arguments.inside else arguments.jobs, recorded, unknown_build)


def execute(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="runner exec")
    parser.add_argument("--seconds", type=float, default=guest.SECONDS, help="limit (default: %(default)s)")
    parser.add_argument("--kernel", choices=debian.SUITES[1:], help="whose User-Mode Linux (default: this machine's)")
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args(argv)
    if arguments.kernel and not debian.inside():
        try:
            debian.enter(None, arguments.kernel, Path.cwd(), ["python3", "-B", "-m", "runner", "exec", *argv])
        except debian.NoRoot as reason:
            print(reason)
            return 77
    return guest.execute(arguments.command, arguments.seconds)


def inside(suite: str, command: list[str]) -> int:
    """`runner inside SUITE COMMAND`: in that Debian, on this kernel."""
    try:
        debian.enter(suite, None, Path.cwd(), command)
    except debian.NoRoot as reason:
        print(reason)
    return 77


def main(argv: list[str]) -> int:
    groups.end_with_runner()
    if argv[:1] == ["inside"] and len(argv) > 2:
        return inside(argv[1], argv[2:])
    if argv[:1] == ["exec"]:
        return execute(argv[1:])
    arguments = _arguments(argv)
    started = time.monotonic()
    build.tools()
    if (arguments.debian or arguments.kernel) and not (arguments.inside or debian.inside()):
        try:
            debian.enter(arguments.debian, arguments.kernel, paths.TESTS, ["python3", "-B", "-m", "runner", *argv])
        except debian.NoRoot as reason:
            print(reason)
            return 77
    try:
        blocks = _blocks(arguments)
    except scenario.ScenarioError as error:
        print(error, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="nlsh-unknown-") as folder:
        unknown_build = arguments.qualified
        if not unknown_build and (arguments.unknown or arguments.patched):
            unknown_build = unknown.make(Path(folder), arguments.patched)
        verdicts = _run(arguments, argv, blocks, unknown_build)
    return _finish(arguments, verdicts, started)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
