"""bench/run: measures each topic in its own network namespace, then writes the report."""

import argparse
import datetime
import json
import os
import subprocess
import sys
import time

from . import figures, machine, report
from .topics import TOPICS

LIMIT_S = {"smoke": 240, True: 240, False: 1200}  # a topic's time limit, by `quick`


def arguments():
    parser = argparse.ArgumentParser(prog="bench/run")
    parser.add_argument("--quick", action="store_true", help="fewer calls, smaller tables")
    parser.add_argument(
        "--smoke",
        dest="quick",
        action="store_const",
        const="smoke",
        help="as few as there can be: shows that everything runs, and measures nothing",
    )
    parser.add_argument("--within", type=float, metavar="SECONDS", help="start no topic later than so many seconds after the start")
    parser.add_argument("--figures", action="store_true", help="fill README's tables from the results, too")
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--in-namespace", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("topics", nargs="*", metavar="TOPIC", help=f"of {', '.join(TOPICS)}")
    given = parser.parse_args()
    unknown = set(given.topics) - set(TOPICS)
    if unknown:
        parser.error(f"no such topic: {', '.join(sorted(unknown))}")
    return given


def in_namespace(topic, quick):
    """Measures one topic, in the namespace's own process."""
    result = TOPICS[topic].measure(quick) | {"measured": f"{datetime.date.today()}, {machine.commit()}"}
    with open(report.results(quick) / f"{topic}.json", "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)


def start(topic, quick):
    """Returns whether the topic was measured."""
    command = ["unshare", "-nm", sys.executable, "-B", "-m", "suite", "--in-namespace", topic] + (
        {True: ["--quick"], "smoke": ["--smoke"]}.get(quick, [])
    )
    variables = dict(os.environ)
    if getattr(TOPICS[topic], "needs_guest", False):
        command = [sys.executable, "-B", "-m", "runner", "exec", "--seconds", str(LIMIT_S[quick]), "--", *command]
        variables["PYTHONPATH"] = str(report.BENCH.parent / "compat-tests")
    before = time.monotonic()
    try:
        status = subprocess.run(command, timeout=LIMIT_S[quick] + 10, env=variables).returncode
    except subprocess.TimeoutExpired:
        status = "timeout"
    print(f"{topic}: {time.monotonic() - before:.0f} s{f', failed ({status})' if status else ''}", flush=True)
    return status == 0


def main():
    given = arguments()
    if given.check:
        return None
    results = report.results(given.quick)
    results.mkdir(parents=True, exist_ok=True)
    if given.in_namespace:
        return in_namespace(given.topics[0], given.quick)
    topics = given.topics or list(TOPICS)
    described = machine.description()
    begin = time.monotonic()
    failed, left = [], []
    for topic in topics:
        if given.within is not None and time.monotonic() - begin > given.within:
            left.append(topic)
            continue
        if not start(topic, given.quick):
            failed.append(topic)
        # Write the report after each topic, so that an interrupted run has one.
        text = report.write(described, machine.load(), given.quick)
    print(text)
    lacking = figures.write() if given.figures and not given.quick else []
    for what, names in (("failed", failed), ("no time", left), ("not in README", lacking)):
        if names:
            print(f"{what}: {', '.join(names)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    sys.exit(main())
