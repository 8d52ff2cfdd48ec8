"""Medians of system() in microseconds: one `ip link set`, and a chain of six. python3 calls_by_way.py CALLS"""

import ctypes
import statistics
import sys
import time

LIBC = ctypes.CDLL(None)
ONE = "ip link set lo mtu {}"
SIX = " && ".join(ONE.format(1400 + number) for number in range(6))


def median(calls: int, line: str) -> float:
    times = []
    for _ in range(calls):
        start = time.perf_counter()
        LIBC.system(line.encode())
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


count = int(sys.argv[1])
median(20, ONE.format(1400))
print(f"one {median(count, ONE.format(1400)):.1f}, six {median(max(count // 4, 10), SIX):.1f}")
