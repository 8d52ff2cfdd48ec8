"""A set and a show while another process creates and deletes links all the time: that process holds the kernel's lock of links (RTNL)."""

import contextlib
import os
import signal
import subprocess

from . import measurement, namespace

LINES = {"a set": "ip link set v0 mtu 1500", "a show": "ip link show v0", "addresses": "ip addr show v1"}
PAUSE_US = 300  # spreads the calls over some hundreds of deletions
# A deletion holds the lock for milliseconds, because it waits for all users of the link.
CHURN = ["link add churn0 type veth peer name churn1", "link set churn0 up", "link del churn0"]


@contextlib.contextmanager
def churn(wanted):
    if not wanted:
        yield
        return
    with measurement.file_of(CHURN * 500) as batch:
        loop = subprocess.Popen(["sh", "-c", 'while :; do ip -force -batch "$0"; done', batch], process_group=0)
        try:
            yield
        finally:
            os.killpg(loop.pid, signal.SIGKILL)
            loop.wait()


class Contended:
    def measure(self, quick):
        namespace.standard()
        fast, slow = measurement.size(quick, (1000, 150), (200, 10), (20, 2))
        rows = []
        with measurement.server() as environment:
            for wanted, name in ((False, "alone"), (True, "beside who creates and deletes links")):
                with churn(wanted):
                    for what, line in LINES.items():
                        ways = measurement.calls_both(line, environment, fast, slow, PAUSE_US)
                        rows.append({"name": f"{what}, {name}", "line": line, "native": measurement.native(line), "ways": ways})
        ways = ["plain popen", "nlsh popen", "in-process popen", "raw"]
        for row in rows:
            row["ways"] |= {f"p99, {slow} : {fast}": {"ratio": p99(row, slow) / p99(row, fast)} for slow, fast in P99}
        return {
            "title": "Beside a process that creates and deletes links",
            "ways": ways + [f"p99, {slow} : {fast}" for slow, fast in P99],
            "ratios": [["plain popen", "nlsh popen"], ["plain popen", "in-process popen"]],
            "note": f"{PAUSE_US} µs after the last call. The other process creates and deletes a veth pair all the time and holds the kernel's lock of "
            "links (RTNL), for which *raw* waits, too.",
            "rows": rows,
        }


P99 = (("plain popen", "nlsh popen"), ("plain popen", "in-process popen"))


def p99(row, way):
    return row["ways"][way]["p99"]
