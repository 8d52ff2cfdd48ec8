"""Medians of system() in microseconds: one `ip link set`, a chain of six, and the chain as SwSS writes it. python3 calls_by_way.py CALLS"""

import ctypes
import statistics
import sys
import time

LIBC = ctypes.CDLL(None)
ONE = "ip link set lo mtu {}"
SIX = " && ".join(ONE.format(1400 + number) for number in range(6))
SWSS = f'/bin/bash -c "{SIX}"'


def median(calls: int, line: str) -> float:
    times = []
    for _ in range(calls):
        start = time.perf_counter()
        LIBC.system(line.encode())
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


count = int(sys.argv[1])
median(20, ONE.format(1400))
few = max(count // 4, 10)
print(f"one {median(count, ONE.format(1400)):.1f}, six {median(few, SIX):.1f}, in bash {median(few, SWSS):.1f}")
