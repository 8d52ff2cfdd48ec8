"""A single call, so many milliseconds after the last one, on an idle machine and beside a busy process."""

import contextlib
import os
import subprocess
import sys

from . import measurement, namespace

LINE = "ip link set v0 mtu 1500"
CALLS = {0: 5000, 1: 1000, 10: 300, 100: 50, 1000: 20}  # milliseconds between calls -> number of calls
WAYS = ["nlsh popen", "nlsh system", "in-process popen", "in-process system", "raw"]
# Reads 16 MiB again and again, so that it fills the caches.
BUSY = "data = bytes(1 << 24)\nwhile True: bytearray(data)"


@contextlib.contextmanager
def neighbours(count):
    processes = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


class Gaps:
    def measure(self, quick):
        namespace.standard()
        rows = []
        with measurement.server() as environment:
            for beside, count in ("", 0), (", a busy neighbour on each processor", os.cpu_count()):
                with neighbours(count):
                    rows += self.rows(environment, beside, quick)
        return {
            "title": "A call that comes alone",
            "ways": WAYS + [f"{way}, of the warm, %" for way in WAYS],
            "ratios": [],
            "above": [["nlsh popen", "raw"], ["nlsh system", "raw"], ["in-process system", "raw"]],
            "note": "By the pause before each call. *of the warm*: of the median without a pause.",
            "rows": rows,
        }

    @staticmethod
    def rows(environment, beside, quick):
        rows, warm = [], None
        for gap, calls in CALLS.items():
            if quick and gap > 10:
                continue
            calls = max(10, calls // 20) if quick else calls
            ways = measurement.calls_both(LINE, environment, calls, 0, gap * 1000)
            ways = {way: ways[way] for way in WAYS}
            warm = warm or ways
            of_warm = {f"{way}, of the warm, %": 100 * ways[way]["median"] / warm[way]["median"] for way in WAYS}
            rows.append({"name": f"{gap} ms{beside}", "line": LINE, "ways": ways | of_warm})
        return rows
