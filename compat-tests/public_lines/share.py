#!/usr/bin/env python3
"""How much of the lines that public packages and SONiC run is native, and why the rest falls back.

    share.py [--all] [--in-process]    by the server, or as `nlsh -c` (a spawned call) reads them; --all: each line that falls back
    share.py --run                     runs each native line by dash and by the server, in network namespaces of their own, and compares
    share.py --public 85 --sonic 95    the status is 1 if less is native
    share.py --unknown                 as builds that nobody has written down, over this machine's, which `nlsh qualify` has qualified;
                                       with --all, * marks what is native by this machine's own

lines.tsv is collect.py's. SONiC's lines are those that this repository knows: SwSS's and the others of its images."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
ENTERED = "NLSH_SAFETY"  # set within namespaces of its own, as safety.bench wants it
NLSH = TESTS.parent / os.environ.get("NLSH_BUILD", "build/release") / "nlsh"
SONIC = (TESTS / "swss-lines.txt", TESTS / "sonic" / "other-lines.txt")


def public_lines() -> list[str]:
    return list(dict.fromkeys(line.split("\t", 1)[1] for line in (HERE / "lines.tsv").read_text().splitlines()))


def sonic_lines() -> list[str]:
    lines = [line for path in SONIC for line in path.read_text().splitlines()]
    return list(dict.fromkeys(line for line in lines if line and not line.startswith("#")))


def reasons(lines: list[str], *options: str) -> dict[str, str]:
    """Of each line why it falls back; empty: native."""
    text = "".join(line + "\n" for line in lines)
    done = subprocess.run([NLSH, "explain", "--json", *options, "-"], input=text, capture_output=True, text=True, check=False)
    return {each["line"]: each.get("reason", "") for each in json.loads(done.stdout)["lines"]}


# What the lines' values name. blue is a network namespace; /run is private.
SETUP = """link set lo up
link add v0 address 02:00:00:00:00:01 type veth peer name v1 address 02:00:00:00:00:02
link add br0 address 02:00:00:00:00:03 type bridge
link set v0 up
link set v1 up
addr add 10.0.0.1/24 dev v0
route add default via 10.0.0.7
"""
# A busy kernel notices late that a veth's peer is up.
CARRIERS = "for link in v0 v1; do until ip -o link show $link | grep -q 'state UP'; do sleep 0.01; done; done"


def compare(lines: list[str]) -> Counter:
    """Each line in two fresh namespaces: the real shell, and the server."""
    sys.path.insert(0, str(TESTS))
    from safety import bench  # noqa: PLC0415 (it asks for the namespaces)
    from shell import differential  # noqa: PLC0415

    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "run", "/run"], check=True)
    os.chdir("/run")
    server = bench.Server()
    server.start("--log", "off")
    verdicts: Counter = Counter()
    try:
        for line in lines:
            twins = differential.Twins()
            for namespace in (twins.real, twins.ours):
                twins.enter(namespace)
                # The kernel makes link-local addresses and groups late, and in any order.
                Path("/proc/sys/net/ipv6/conf/default/disable_ipv6").write_text("1")
                subprocess.run(["ip", "-batch", "-"], input=SETUP, text=True, check=True)
                subprocess.run(["sh", "-c", CARRIERS], check=True, timeout=60)
            verdict, meaning = twins.difference(line.encode())
            verdicts[verdict] += 1
            if verdict == "DIFFERENT":
                print(f"DIFFERENT: {line}\n    {meaning}", flush=True)
            twins.close()
    finally:
        server.end()
    return verdicts


def enter_namespaces() -> None:
    if os.environ.get(ENTERED) != "public_lines":
        os.environ[ENTERED] = "public_lines"
        os.execvp("unshare", ["unshare", "-nm", "--propagation", "private", sys.executable, "-B", *sys.argv])


def put_unknown_builds_in_place(folder: Path) -> None:
    """In the place of this machine's ip and bridge, in a mount namespace of our own."""
    sys.path.insert(0, str(TESTS))
    from runner import unknown  # noqa: PLC0415

    unknown.make(folder)
    for tool in ("ip", "bridge"):
        own = Path(shutil.which(tool, path="/usr/sbin:/usr/bin:/sbin:/bin") or tool).resolve()
        subprocess.run(["mount", "--bind", folder / "tools" / tool, own], check=True)
    os.environ["NLSH_BUILDS"] = unknown.environment(folder)["NLSH_BUILDS"]


def print_share(name: str, lines: list[str], found: dict[str, str], show_all: bool, known: dict[str, str]) -> float:
    """known: the reasons of a build that is known."""
    left = {line: reason for line, reason in found.items() if reason}
    share = 100 * (1 - len(left) / len(found))
    print(f"{name}: {len(found) - len(left)} of {len(found)} lines native, {share:.1f} %")
    for reason, count in Counter(left.values()).most_common():
        print(f"  {count:4} {reason}")
        if show_all:
            print(*(f"         {'*' if known.get(line) == '' else ' '} {line}" for line in lines if left.get(line) == reason), sep="\n")
    return share


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--all", action="store_true", help="print each line that falls back")
    parser.add_argument("--in-process", action="store_true", help="as a spawned `nlsh -c` reads them")
    parser.add_argument("--run", action="store_true", help="run the native lines and compare")
    parser.add_argument("--unknown", action="store_true", help="as builds that `nlsh qualify` has qualified")
    parser.add_argument("--public", type=float, default=0, help="per cent of the public lines that must be native")
    parser.add_argument("--sonic", type=float, default=0, help="per cent of SONiC's lines that must be native")
    options = parser.parse_args()
    if options.run or options.unknown:
        enter_namespaces()
    if options.run:
        found = reasons(public_lines())
        verdicts = compare([line for line, reason in found.items() if not reason])
        print(", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common()))
        return 1 if verdicts["DIFFERENT"] else 0
    ways = ["--in-process"] if options.in_process else []
    sets = {"public": public_lines(), "SONiC": sonic_lines()}
    known: dict[str, dict[str, str]] = {name: {} for name in sets}
    with tempfile.TemporaryDirectory(prefix="nlsh-unknown-") as folder:
        if options.unknown:
            known = {name: reasons(lines, *ways) for name, lines in sets.items()}
            put_unknown_builds_in_place(Path(folder))
        shares = [print_share(name, lines, reasons(lines, *ways), options.all, known[name]) for name, lines in sets.items()]
    low = shares[0] < options.public or shares[1] < options.sonic
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
