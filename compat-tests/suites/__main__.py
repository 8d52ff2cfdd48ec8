"""The kernel's own network selftests, unmodified, with nlsh in place of ip and bridge: every verdict must equal the real iproute2's.

foreign [--long] [--by WAYS] [TEST…]     fetches Debian's linux-source-6.1 the first time (build/foreign)

Each test runs in User-Mode Linux, which has the link kinds that it needs: with the real tools, and by each way. Status 1
if a verdict differs. If a program or module is missing, it is missing in each run.
"""

import argparse
import concurrent.futures
import re
import shlex
import sys
import tempfile
from pathlib import Path

from runner import groups
from runner.guest import Guest, GuestError

from . import source, verdicts
from .tally import Run, Tally, count_calls
from .ways import REAL, Way, add_option

QUICK = (
    "altnames.sh",
    "test_vxlan_fdb_changelink.sh",
    "fib_nexthop_nongw.sh",
    "vrf_strict_mode_test.sh",
    "fib-onlink-tests.sh",
    "fib_rule_tests.sh",
    "forwarding/bridge_mdb.sh",
    "forwarding/bridge_sticky_fdb.sh",
)
LONG = (
    "rtnetlink.sh",
    "fib_tests.sh",
    "fib_nexthops.sh -t basic",
    "fib_nexthops.sh -t ipv4_fcnal",
    "fib_nexthops.sh -t ipv6_fcnal",
    "fib_nexthops.sh -t ipv4_grp_fcnal",
    "fib_nexthops.sh -t ipv6_grp_fcnal",
    "forwarding/vxlan_bridge_1d.sh",
    "forwarding/bridge_vlan_mcast.sh",
    "forwarding/bridge_vlan_aware.sh",
    "test_vxlan_vnifiltering.sh",
    "icmp_redirect.sh",
)
LIMIT = {"quick": 600, "long": 1800}

# Each test has its own /run, for `ip netns`, and network namespace: some tests work in the namespace that they start in. The trace
# is in the guest's memory, because the time of writing it counts as the way's time.
_RUN = """
cd {folder}
export PATH=/usr/sbin:/usr/bin:/sbin:/bin PING=ping PAUSE_ON_FAIL=no
mount -t tmpfs -o mode=755 run /run
ip link set lo up
{before}
began=$(date +%s.%N)
env NLSH_TRACE=/run/trace {environment} timeout {limit} bash {test} 2>&1
status=$?
echo $began $(date +%s.%N) >{results}/times
cp /run/trace {results}/trace
exit $status
"""

# The guest kernel's message when it kills a process that has more mappings on the host than vm.max_map_count.
_STARVED = "UML ran out of memory on the host side"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="foreign", description=__doc__.split("\n")[0])
    parser.add_argument("tests", nargs="*", metavar="TEST", help="as in tools/testing/selftests/net; with arguments, quoted")
    parser.add_argument("--long", action="store_true", help="the long set too")
    add_option(parser)
    parser.add_argument("--jobs", type=int, default=2, help="guests at a time (default: %(default)s)")
    parser.add_argument("--keep", type=Path, help="keep the tests' output in this folder")
    parser.add_argument("--table", type=Path, help="write the results to this file, too, as a table")
    return parser.parse_args()


def run(test: str, way: Way, limit: int, keep: Path | None) -> Run:
    """Runs one test in its own guest."""
    with tempfile.TemporaryDirectory(prefix="nlsh-foreign-") as temporary:
        folder = Path(temporary)
        name, *words = shlex.split(test)
        before, environment = way.script(Path("/run"))
        script = _RUN.format(
            folder=shlex.quote(str((source.NET / name).parent)),
            before=before,
            environment=environment,
            limit=limit,
            test=shlex.join([f"./{Path(name).name}", *words]),
            results=folder,
        )
        guest = Guest(["unshare", "-n", "-m", "bash", "-c", script], folder)
        status = guest.wait(limit + 60)
        output = (guest.output / "stdout").read_text(errors="replace")
        began, ended = map(float, (folder / "times").read_text().split())
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            label = re.sub(r"\W+", "-", test) + "." + way.name
            (keep / label).write_text(output)
            if (folder / "trace").exists():
                (keep / f"{label}.trace").write_bytes((folder / "trace").read_bytes())
        starved = _STARVED in (guest.output / "kernel").read_text(errors="replace")
        return Run(verdicts.read(output, status), count_calls(folder / "trace"), ended - began, starved)


def main() -> int:
    groups.end_with_runner()
    arguments = _arguments()
    source.fetch()
    quick = [(test, LIMIT["quick"]) for test in QUICK]
    long = [(test, LIMIT["long"]) for test in LONG] if arguments.long else []
    chosen = [(test, LIMIT["long"]) for test in arguments.tests] or quick + long
    tally = Tally()
    failed = False
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        started = [(test, [pool.submit(run, test, way, limit, arguments.keep) for way in (REAL, *arguments.by)]) for test, limit in chosen]
        for test, runs in started:
            try:
                real, *others = (each.result() for each in runs)
                for way, ours in zip(arguments.by, others):
                    tally.add(test, way.name, real, ours)
            except (GuestError, OSError, ValueError) as error:
                failed = True
                print(f"could not run  {test}: {error}", flush=True)
    print(tally.summary())
    if arguments.table:
        arguments.table.write_text(tally.table())
    return 1 if failed or tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
