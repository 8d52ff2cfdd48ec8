#!/usr/bin/env python3
"""Sets the clock forwards and back while programs call: no cache entry outlives its time, and no call fails. Runs in its own guest
(User-Mode Linux), which has its own clock.

clock_guest.py BUILD"""

import json
import os
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from nlsh_test import trace
from nlsh_test.calls import popen
from nlsh_test.place import NAMES
from nlsh_test.server import Server

HOUR = 3600
JUMPS = (HOUR, -2 * HOUR, 24 * HOUR, -400 * 24 * HOUR, 20 * 365 * 24 * HOUR, -1, 1)
LINES = ("ip link set lo mtu 1400 && ip link show lo", "ip rule show", "ip -d addr show lo | grep -c inet")
SOCKET = "/run/nlsh/nlsh.sock"
TABLES = str(NAMES / "rt_tables")


def inside(build: str):
    """Under the preload."""
    server = int(os.environ["SERVER"])

    def real(line: str):
        done = subprocess.run(["/bin/sh", "-c", line], env={"PATH": os.environ["PATH"]}, capture_output=True, text=True)
        return done.stdout, done.returncode << 8

    def check(line: str, when: str):
        got, expected = popen(line), real(line)
        if got != expected:
            sys.exit(f"{when}: {line}: {got}, not {expected}")

    def jump(seconds: int):
        time.clock_settime(time.CLOCK_REALTIME, max(time.time() + seconds, 1))

    for number in range(15):  # a burst
        check(LINES[number % len(LINES)], "before")
    for number, seconds in enumerate(JUMPS):
        jump(seconds)
        for line in LINES:
            check(line, f"after {seconds} s")
        # A file changes at the same clock time as before, so its times stay the same.
        stamp = os.stat(TABLES)
        with open(TABLES, "r+") as file:
            text = file.read()
            file.seek(0)
            file.write(text.replace(f"seven{number - 1}", f"seven{number}") if number else f"{text}77\tseven0\n")
        os.utime(TABLES, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        check("ip rule show", f"tables rewritten after {seconds} s")
    # The clock jumps during all these calls.
    over = threading.Event()

    def move():
        while not over.is_set():
            for seconds in (HOUR, -HOUR):
                jump(seconds)
                time.sleep(0.002)

    mover = threading.Thread(target=move)
    mover.start()
    expected = {line: real(line) for line in LINES}
    for number in range(60):
        line = LINES[number % len(LINES)]
        if (got := popen(line)) != expected[line]:
            sys.exit(f"while it jumps: {line}: {got}, not {expected[line]}")
    over.set()
    mover.join()
    if server:
        jump(-HOUR)
        done = subprocess.run([f"{build}/nlsh", "stats", "--json", "--socket", SOCKET], capture_output=True, text=True, check=True)
        uptime = json.loads(done.stdout)["uptime_ms"]
        if not 0 < uptime < HOUR * 1000:
            sys.exit(f"the server believes it has been up for {uptime} ms")


def main(build: str):
    os.environ["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"
    os.environ["LC_ALL"] = "C"
    for words in (
        ["ip", "link", "set", "lo", "up"],
        ["ip", "rule", "add", "pref", "7", "table", "77"],
        ["mount", "-t", "tmpfs", "tables", "/mnt"],
        ["cp", "-r", str(NAMES), "/mnt"],
        ["mount", "--bind", "/mnt/iproute2", str(NAMES)],
    ):
        subprocess.run(words, check=True)
    os.makedirs("/run/nlsh", exist_ok=True)
    for engine in ("server", "inproc"):
        server = None
        if engine == "server":
            server = Server(SOCKET, "--log", "off", program=f"{build}/nlsh", seconds=120).start()
        calls = f"/run/trace-{engine}"
        environment = os.environ | {
            "LD_PRELOAD": f"{build}/libnlsh-preload.so",
            "NLSH_SOCKET": SOCKET,
            "NLSH_ENGINE": engine,
            "NLSH_TRACE": calls,
            "NLSH_EXEC": "0",
            "NLSH_TIMEOUT_MS": "60000",
            "SERVER": str(server.process.pid if server else 0),
        }
        done = subprocess.run([sys.executable, "-I", __file__, build, "inside"], env=environment)
        if done.returncode != 0:
            sys.exit(f"{engine}: status {done.returncode}")
        native, others = trace.natives(calls), [call for call in trace.read(calls) if not call.native and call.line.startswith("ip ")]
        print(f"{engine}: {native} native, {len(others)} fell back")
        if native < 100:
            sys.exit("\n".join(map(str, others[:5])))
        if server:
            if server.end() != 0:
                sys.exit("the server didn't end as it should")
        subprocess.run(["sed", "-i", "/seven/d", TABLES], check=True)


if sys.argv[2:] == ["inside"]:
    inside(sys.argv[1])
else:
    main(sys.argv[1])
