#!/usr/bin/env python3
"""Builds of iproute2 with one trait turned: of each that can be played by editing what the real one prints (edited.c), nlsh,
which has qualified it, says what it says, natively or by a fallback.

turned.py [SHARE | TRAIT…]: of the table (turned_rows.py) every SHARE-th row, or those of the traits. The real one is this machine's; its own traits that came after 6.1.0 aren't turned. Each trait of parser/ip/traits/traits.def
has a row there, or a reason why not."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import other_build
from turned_edits import REAL, RELEASE
from turned_rows import TURNED, UNTURNED

NLSH = os.environ["NLSH"]

BATCH = """link set lo up
link add v0 address 02:00:00:00:00:01 type veth peer name v1 address 02:00:00:00:00:02
link add b0 address 02:00:00:00:00:03 type bridge
link set v1 master b0
link set v0 up
link set v1 up
link set b0 up
address add 10.8.0.1/24 dev v0
neigh add 10.8.0.9 lladdr 02:00:00:00:00:09 dev v0 nud permanent
rule add pref 77 sport 80 table 7
"""
# Without IPv6, whose addresses appear at random times.
PREPARE = f"""for file in all default; do echo 1 >/proc/sys/net/ipv6/conf/$file/disable_ipv6; done
{REAL["ip"]} -force -batch - <<'E' >/dev/null 2>&1
{BATCH}E
{REAL["bridge"]} mdb add dev b0 port v1 grp 239.1.1.1 permanent
for device in v0 v1 b0; do
    until {REAL["ip"]} link show dev $device | grep -q 'state UP'; do sleep 0.01; done
done
"""


# Which lines are native is written down for edits of 6.1.0. On other builds each line must only be right.
EXACT = RELEASE == (6, 1)
TIMER = re.compile(r'(_timer"?:?) *[0-9.]+')


def run(line, environment):
    """In a fresh network namespace, without the kernel's timers."""
    ended = subprocess.run(
        ["unshare", "-n", "sh", "-c", f'{PREPARE}\nexec "$@"', "sh", *line], env=environment, capture_output=True, text=True
    )
    return ended.returncode, TIMER.sub(r"\1 T", ended.stdout), ended.stderr


def make_edited(folder):
    """Copies of the real ones that edit what they print."""
    library = folder / "libedited.so"
    other_build.compile_library(library, "edited.c")
    for tool in REAL:
        other_build.copy(tool, folder / tool)
        other_build.need(folder / tool, library)


class Build:
    """Copies of the edited ones in a folder of their own, and an nlsh for which they are the real ones."""

    def __init__(self, folder, edited, turned):
        for tool in REAL:
            shutil.copy2(edited / tool, folder / tool)
            with open(folder / tool, "ab") as program:
                program.write(turned.constants.encode())
            (folder / f"{tool}.edits").write_text("".join(f"{edit}\n" for of, edit in turned.edits if of == tool))
        (folder / "record").mkdir(mode=0o755)
        self.record = folder / "record" / "qualified"
        self.environment = os.environ | {
            "NLSH_BUILDS": str(self.record),
            "NLSH_REAL_IP": str(folder / "ip"),
            "NLSH_REAL_BRIDGE": str(folder / "bridge"),
            "NLSH_SOCKET": str(folder / "sock"),
            "PATH": f"{folder}:/usr/sbin:/usr/bin:/sbin:/bin",
            "LC_ALL": "C",
        }
        subprocess.run([NLSH, "qualify"], env=self.environment, stdout=subprocess.DEVNULL)

    def answer(self, tool, trait):
        found = re.search(rf"^{tool} .*", self.record.read_text(), re.M)
        parts = dict(part.split("=", 1) for part in found[0].split() if "=" in part) if found else {}
        return next((name for name in ("yes", "no", "open") if trait in parts.get(name, "").split(",")), "none")

    def faults(self, line, native):
        trace = self.record.with_name("trace")
        trace.unlink(missing_ok=True)
        real = run(["sh", "-c", line], self.environment | {"NLSH_DISABLE": "1"})
        ours = run([NLSH, "-q", "-c", line], self.environment | {"NLSH_TRACE": str(trace)})
        was = trace.read_text().split("\t")[1]
        faults = [] if (was == "native") == native else [f"{line}: {was}"]
        if not EXACT:
            faults = []
        return faults + ([] if real == ours else [f"{line}:\n    this build {real}\n    nlsh       {ours}"])


def try_one(edited, turned):
    with tempfile.TemporaryDirectory(prefix="nlsh-turned-") as path:
        os.chmod(path, 0o755)
        build = Build(Path(path), edited, turned)
        tool = turned.edits[0][0]
        answer = build.answer(tool, turned.trait)
        faults = [] if answer == turned.now else [f"asked: {answer}, not {turned.now}\n{build.record.read_text()}"]
        for lines, native in ((turned.native, True), (turned.left, False)):
            faults += [fault for line in lines for fault in build.faults(line, native)]
    return faults


def traits():
    """Each trait's release, by the column SINCE of traits.def: 0 is the oldest."""
    folder = Path(__file__).resolve().parents[2] / "parser/ip/traits"
    releases = re.findall(r"^    (\w+),", re.search(r"enum class Release.*?\n};", (folder / "traits.h").read_text(), re.S)[0], re.M)
    rows = re.findall(r"^NLSH_TRAIT\((\w+), (\w+)", (folder / "traits.def").read_text(), re.M)
    return {trait: releases.index(since) for trait, since in rows}, releases


def turnable(since, releases):
    """The rows edit 6.1.0's texts: what came after it can't be turned in a build that has it."""
    base, installed = (releases.index("v{}_{}".format(*release)) for release in ((6, 1), RELEASE))
    return [turned for turned in TURNED if not base < since[turned.trait] <= installed and not (turned.edits_6_1 and base < installed)]


def uncovered(since):
    """Traits that have neither a row nor a reason, or both."""
    turned = {each.trait for each in TURNED}
    return [trait for trait in since if (trait in turned) == (trait in UNTURNED)]


def main():
    wanted = sys.argv[1:]
    share = int(wanted.pop()) if wanted and wanted[0].isdigit() else 1
    since, releases = traits()
    rows = turnable(since, releases)
    chosen = [turned for turned in rows if not wanted or turned.trait in wanted][::share]
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="nlsh-edited-") as edited, ThreadPoolExecutor(os.cpu_count()) as pool:
        os.chmod(edited, 0o755)
        make_edited(Path(edited))
        results = list(pool.map(lambda turned: try_one(Path(edited), turned), chosen))
    for turned, faults in zip(chosen, results):
        for fault in faults:
            print(f"{turned.trait} ({turned.edits[0][1]!r}): {fault}")
    lines = sum(len(turned.native) + len(turned.left) for turned in chosen)
    native = sum(len(turned.native) for turned in chosen)
    print(
        f"{len(chosen)} builds of {len({turned.trait for turned in chosen})} traits, {native} lines native and {lines - native} fell back, "
        f"{sum(map(bool, results))} builds wrong, {time.monotonic() - started:.0f} s"
    )
    if len(rows) < len(TURNED):
        print(f"{len(TURNED) - len(rows)} builds can't be played here: they are edits of 6.1.0's texts")
    without = uncovered(since)
    print(
        f"{len({turned.trait for turned in TURNED})} traits have a row, {len(UNTURNED)} a reason why not"
        + (f"; neither, or both: {', '.join(without)}" if without else "")
    )
    return bool(any(results) or without)


sys.exit(main())
