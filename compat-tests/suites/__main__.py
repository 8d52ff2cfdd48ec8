"""The kernel's own network selftests, unmodified, with nlsh's ip and bridge first in PATH: every verdict must be the one
that the real iproute2 gets.

foreign [--long] [TEST…]     fetches Debian's linux-source-6.1 the first time (build/foreign)

Each test runs twice in User-Mode Linux, which has the link kinds that it needs: with the real tools and with nlsh. Status 1
when a verdict differs. What a test lacks (a program, a module) it lacks both times.
"""

import argparse
import collections
import concurrent.futures
import re
import shlex
import sys
import tempfile
import time
from pathlib import Path

from runner import paths
from runner.guest import Guest, GuestError

from . import source, verdicts

QUICK = ("altnames.sh", "test_vxlan_fdb_changelink.sh", "fib_nexthop_nongw.sh", "vrf_strict_mode_test.sh",
         "fib-onlink-tests.sh", "fib_rule_tests.sh", "forwarding/bridge_mdb.sh", "forwarding/bridge_sticky_fdb.sh")
LONG = ("rtnetlink.sh", "fib_tests.sh", "fib_nexthops.sh -t basic", "fib_nexthops.sh -t ipv4_fcnal", "fib_nexthops.sh -t ipv6_fcnal",
        "fib_nexthops.sh -t ipv4_grp_fcnal", "fib_nexthops.sh -t ipv6_grp_fcnal", "forwarding/vxlan_bridge_1d.sh",
        "forwarding/bridge_vlan_mcast.sh", "forwarding/bridge_vlan_aware.sh", "test_vxlan_vnifiltering.sh", "icmp_redirect.sh")
LIMIT = {"quick": 100, "long": 1800}

# A test's own /run, for `ip netns`, and network namespace: some work where they are started.
_RUN = """
cd {folder}
export PATH={path} NLSH_TRACE={trace} PING=ping PAUSE_ON_FAIL=no
exec unshare -n -m sh -c 'mount -t tmpfs run /run; ip link set lo up; exec timeout {limit} bash {test}' 2>&1
"""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="foreign", description=__doc__.split("\n")[0])
    parser.add_argument("tests", nargs="*", metavar="TEST", help="as in tools/testing/selftests/net; with arguments, quoted")
    parser.add_argument("--long", action="store_true", help="the long set too")
    parser.add_argument("--jobs", type=int, default=2, help="guests at a time (default: %(default)s)")
    parser.add_argument("--keep", type=Path, help="keep the tests' output in this folder")
    return parser.parse_args()


def run(test: str, tools: str, limit: int, keep: Path | None) -> tuple[list[verdicts.Verdict], str]:
    """One run in a guest of its own: verdicts, and nlsh's trace."""
    with tempfile.TemporaryDirectory(prefix="nlsh-foreign-") as temporary:
        folder = Path(temporary)
        path = "/usr/sbin:/usr/bin:/sbin:/bin"
        if tools == "nlsh":
            for tool in ("ip", "bridge"):
                (folder / tool).symlink_to(paths.NLSH)
            path = f"{folder}:{path}"
        name, *words = shlex.split(test)
        script = _RUN.format(folder=shlex.quote(str((source.NET / name).parent)), path=path, trace=folder / "trace",
                             limit=limit, test=shlex.join([f"./{Path(name).name}", *words]))
        guest = Guest(["bash", "-c", script], folder)
        status = guest.wait(limit + 60)
        output = (guest.output / "stdout").read_text(errors="replace")
        trace = folder / "trace"
        text = trace.read_text(errors="replace") if trace.exists() else ""
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            label = re.sub(r"\W+", "-", test) + "." + tools
            (keep / label).write_text(output)
            (keep / f"{label}.trace").write_text(text)
        return verdicts.read(output, status), text


class Tally:
    """Verdicts by test; what the real tools skip too is counted apart, with the suite's reason."""

    def __init__(self):
        self.same = self.total = self.skipped = self.differences = 0
        self.calls: collections.Counter = collections.Counter()

    def add(self, test: str, real: list[verdicts.Verdict], ours: list[verdicts.Verdict], trace: str, seconds: float):
        pairs = verdicts.compare(real, ours)
        different = [(left, right) for left, right in pairs if right is None or left.word != right.word]
        skipped = [left for left, right in pairs if left.skipped and right is not None and right.skipped]
        total = len(pairs) - len(skipped)
        same = total - len(different)
        passed = sum(1 for left, _ in pairs if left.passed)
        calls = collections.Counter(line.split("\t")[1] if "\t" in line else "?" for line in trace.splitlines())
        self.same, self.total, self.calls = self.same + same, self.total + total, self.calls + calls
        self.skipped, self.differences = self.skipped + len(skipped), self.differences + len(different)
        apart = f"{len(skipped)} skipped by both; " if skipped else ""
        print(f"{same:4} of {total:4}  {test}  (the real one passes {passed}; {apart}{_calls(calls)}; {seconds:.0f} s)", flush=True)
        for verdict in skipped:
            print(f"      skipped  {verdict.name}", flush=True)
        for left, right in different:
            print(f"      DIFFERENT  {left.name}: {left.word}, nlsh: {right.word if right else 'nothing'}", flush=True)


def _calls(calls: collections.Counter) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in sorted(calls.items())) or "no calls"


def main() -> int:
    arguments = _arguments()
    source.fetch()
    quick = [(test, LIMIT["quick"]) for test in QUICK]
    long = [(test, LIMIT["long"]) for test in LONG] if arguments.long else []
    chosen = [(test, LIMIT["long"]) for test in arguments.tests] or quick + long
    tally = Tally()
    failed = False
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        started = []
        for test, limit in chosen:
            started.append((test, time.monotonic(), [pool.submit(run, test, tools, limit, arguments.keep) for tools in ("real", "nlsh")]))
        for test, start, runs in started:
            try:
                (real, _), (ours, trace) = (each.result() for each in runs)
                tally.add(test, real, ours, trace, time.monotonic() - start)
            except (GuestError, OSError) as error:
                failed = True
                print(f"could not run  {test}: {error}", flush=True)
    print(f"same verdict {tally.same} of {tally.total}, skipped by both {tally.skipped} ({_calls(tally.calls)})")
    return 1 if failed or tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
