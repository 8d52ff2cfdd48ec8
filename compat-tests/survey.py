#!/usr/bin/env python3
"""The survey of options: which options of ip's and bridge's man pages have a native line in the corpus.

    ./survey.py            checks survey.txt against the corpus and `nlsh explain`
    ./survey.py --pages    prints options of the installed man pages that survey.txt lacks
    ./survey.py --share    prints the share of the corpus that is native by popen

A line of survey.txt is a page and some of its options. Without a prefix, each must be in a native line of the corpus. Prefixes:
`tested in FILE:`, a file of tests must have them; `fallback: REASON:`, they fall back; `prose:`, they aren't options."""

import argparse
import gzip
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from runner import paths, scenario  # noqa: E402

# A page's options follow these words. Options with a dash, of ip(8) and bridge(8), may be anywhere.
PAGES = {
    "ip": "ip",
    "ip-link": "ip link",
    "ip-address": "ip address",
    "ip-route": "ip route",
    "ip-rule": "ip rule",
    "ip-neighbour": "ip neighbour",
    "ip-nexthop": "ip nexthop",
    "ip-netns": "ip netns",
    "ip-token": "ip token",
    "ip-addrlabel": "ip addrlabel",
    "ip-netconf": "ip netconf",
    "ip-ntable": "ip ntable",
    "ip-stats": "ip stats",
    "ip-maddress": "ip maddress",
    "ip-vrf": "ip vrf",
    "ip-tunnel": "ip tunnel",
    "ip-monitor": "ip monitor",
    "bridge": "bridge",
}
MAN = Path("/usr/share/man/man8")


def bold(line: str) -> list[str]:
    """The bold words of a man page's line, which are typed as they are."""
    words = re.findall(r"\\fB(.*?)(?:\\f[RPI]|$)", line)
    macro = re.match(r"\.(BR|BI|B|RB|IB)\s+(.*)", line)
    if macro:
        arguments = re.findall(r'"[^"]*"|\S+', macro[2])
        words += arguments if macro[1] == "B" else arguments[macro[1] in ("RB", "IB") :: 2]
    return words


def options_of(page: str) -> list[str]:
    found = {}
    for line in gzip.open(MAN / f"{page}.8.gz", "rt", errors="replace"):
        for words in bold(line.rstrip("\n")):
            plain = re.sub(r"\\f[A-Z]", "", words.replace("\\-", "-")).replace('"', "").replace("\\ ", " ")
            for word in re.split(r"[\s|\[\]{}(),=/]+", plain):
                word = word.strip(".:;'")
                if re.fullmatch(r"-?[a-z0-9][a-z0-9_.-]*", word) and not word.isdigit():
                    found[word] = None
    return list(found)


def table() -> dict[str, dict[str, str]]:
    """Page -> option -> "native", "tested in FILE", "prose" or why it falls back."""
    pages: dict[str, dict[str, str]] = {}
    for line in (HERE / "survey.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        page, _, rest = line.partition(" ")
        what, colon, words = rest.rpartition(": ")
        verdict = what.removeprefix("fallback: ") if colon else "native"
        for word in words.split():
            if pages.setdefault(page, {}).setdefault(word, verdict) != verdict:
                sys.exit(f"survey.txt: {page} {word} stands twice")
    return pages


def corpus() -> list[str]:
    """The scenarios' lines, without monitors, which don't end and have their own test."""
    monitors = (HERE / "monitor.bats").read_text().splitlines()
    lines = {line: None for line in monitors if re.match(r"(ip|bridge) .*monitor", line)}
    for file in sorted(paths.SCENARIOS.glob("*.scn")):
        for block in scenario.read(file):
            lines |= {line.text: None for line in block.lines if not line.setup}
    return list(lines)


def native_lines(nlsh: Path, lines: list[str], *options: str) -> set[str]:
    """The lines that `nlsh explain` calls native, without leading and trailing blanks."""
    with tempfile.NamedTemporaryFile("w", suffix=".lines") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        told = subprocess.run([nlsh, "explain", *options, file.name], capture_output=True, text=True, check=False).stdout
    return {row[1].strip() for row in re.finditer(r"^native +\d+  (.*)$", told, re.M)}


def by_word(lines: list[str]) -> dict[str, list[str]]:
    index: dict[str, list[str]] = {}
    for line in lines:
        for word in set(re.findall(r"[\w.-]+", line)):
            index.setdefault(word, []).append(line)
    return index


def is_of(page: str, option: str, line: str) -> bool:
    """Whether the line belongs to the page's tool and object."""
    tool, *objects = PAGES[page].split()
    words = re.findall(r"[a-z]+", line)
    if tool not in words:
        return False
    return not objects or option.startswith("-") or any(objects[0].startswith(word) for word in words)


def check(nlsh: Path) -> int:
    lines = corpus()
    native = native_lines(nlsh, lines, "--in-process")
    index = by_word(lines)
    bad = total = 0
    for page, options in table().items():
        counts = {"native": 0, "fallback": 0}
        for option, verdict in options.items():
            if verdict == "prose":
                continue
            if verdict.startswith("tested in "):
                counts["native"] += 1
                if option not in (HERE / verdict.removeprefix("tested in ")).read_text():
                    bad += 1
                    print(f"{page}: {option}: not {verdict}")
                continue
            counts["native" if verdict == "native" else "fallback"] += 1
            if verdict != "native":
                continue
            spoken = [line for line in index.get(option, []) if is_of(page, option, line)]
            if not any(line.strip() in native for line in spoken):
                bad += 1
                print(f"{page}: {option}: {'no line of the corpus has it natively' if spoken else 'no line has it'}")
        total += counts["native"]
        print(f"{page:14}{counts['native']:4} options native, {counts['fallback']} fell back")
    print(f"{total} options in the corpus, natively; {bad} missing")
    return 1 if bad else 0


def share(nlsh: Path) -> int:
    """How many lines of the scenarios are native by popen(). A line that occurs twice counts twice."""
    lines = [
        line.text
        for file in sorted(paths.SCENARIOS.glob("*.scn"))
        for block in scenario.read(file)
        for line in block.lines
        if not line.setup
    ]
    native = native_lines(nlsh, lines)
    count = sum(line.strip() in native for line in lines)
    print(f"{count} of {len(lines)} lines of the corpus are native by popen: {100 * count / len(lines):.1f} %")
    return 0


def pages() -> int:
    known = table()
    missing = 0
    for page in PAGES:
        new = [word for word in options_of(page) if word not in known.get(page, {})]
        missing += len(new)
        if new:
            print(page, *new)
    return 1 if missing else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", action="store_true")
    parser.add_argument("--share", action="store_true")
    parser.add_argument("--nlsh", type=Path, default=HERE.parent / "build/release/nlsh")
    arguments = parser.parse_args()
    if arguments.share:
        return share(arguments.nlsh)
    return pages() if arguments.pages else check(arguments.nlsh)


if __name__ == "__main__":
    sys.exit(main())
