"""The part of upgrade_test.py in the root of another Debian: upgrade_inside.py iproute2-server|iproute2-inproc|nlsh. Runs on any Debian's Python."""

import collections
import glob
import os
import subprocess
import sys
import threading

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from nlsh_test import trace, waiting
from nlsh_test.place import CALLS
from nlsh_test.server import Server

LIMIT = 120  # seconds, for quick steps
SOCKET = "/run/nlsh/nlsh.sock"
# Shows that depend on the build of iproute2, a change, a show that exceeds a reply, and a line with errors in the middle.
LINES = (
    "ip -d link show lo",
    "ip link set lo mtu 1400 && ip link show lo",
    "ip -V",
    "ip route show table all",
    "ip link show lo; ip link show nosuch >&2; ip addr show lo",
    "bridge vlan show; ip -j addr show lo",
)
# Calls popen until standard input ends; prints a line for each call.
CALLER = f"""{CALLS}
import select, sys
turn = 0
while not select.select([sys.stdin], [], [], 0)[0]:
    line = sys.argv[1 + turn % len(sys.argv[1:])]
    turn += 1
    print(repr((line, *popen(line))), flush=True)
"""


class Program:
    """A program that calls all the time, with the preload or without it."""

    def __init__(self, name: str, **variables: str):
        self.trace = f"/tmp/trace-{name}"
        self.seen = []
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-c", CALLER, *LINES],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | variables | {"NLSH_TRACE": self.trace},
        )
        self.reader = threading.Thread(target=lambda: self.seen.extend(map(eval_line, self.process.stdout)))
        self.reader.start()

    def more(self, calls: int):
        """Waits for so many more calls."""
        wanted = len(self.seen) + calls
        waiting.wait_for(lambda: len(self.seen) >= wanted or self.process.poll() is not None, LIMIT)

    def finish(self):
        self.process.stdin.close()
        self.process.wait(LIMIT)
        self.reader.join()
        return self.seen

    def natives(self) -> int:
        return trace.natives(self.trace)


def eval_line(line: str):
    return tuple(eval(line))


def serve(program: str) -> Server:
    os.makedirs("/run/nlsh", exist_ok=True)
    return Server(SOCKET, "--log", "off", program=program, seconds=LIMIT).start()


def end(server: Server):
    check(server.end() == 0, "a server didn't end as it should")


def dpkg(*packages: str):
    done = subprocess.run(["dpkg", "--force-unsafe-io", "-i", *packages], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    check(done.returncode == 0, done.stdout + done.stderr)


def real() -> dict:
    """The result of each line by the installed shell and iproute2."""
    results = {}
    for line in LINES:
        done = subprocess.run(
            ["/bin/sh", "-c", line], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        results[line] = (done.stdout, done.returncode << 8)
    return results


def check(good: bool, text: str):
    if not good:
        sys.exit(text)


def compare(seen: list, *builds: dict):
    for line, *got in seen:
        check(any(tuple(got) == build[line] for build in builds), f"{line}: {got}\nexpected one of {[build[line] for build in builds]}")


def set_up():
    for words in ("link set lo up", "link set lo mtu 1400"):
        subprocess.run(["ip", *words.split()], check=True)
    with open("/tmp/routes", "w") as file:
        file.writelines(f"route add 10.1.{number >> 8}.{number & 255} dev lo\n" for number in range(300))
    subprocess.run(["ip", "-batch", "/tmp/routes"], check=True)


def iproute2(engine: str):
    server = serve("/build/nlsh") if engine == "server" else None
    program = Program("iproute2", LD_PRELOAD="/build/libnlsh-preload.so", NLSH_SOCKET=SOCKET, NLSH_ENGINE=engine)
    before = real()
    program.more(200)
    compare(list(program.seen), before)
    natives = program.natives()
    check(natives > 100, f"before: {natives} native")
    start = len(program.seen)
    (package,) = glob.glob("/opt/iproute2/*.deb")
    dpkg(package)
    program.more(1)  # a call may have been running
    settled = len(program.seen)
    after = real()
    natives = program.natives()
    program.more(200)
    natives = program.natives() - natives
    seen = program.finish()
    compare(seen[start:settled], before, after)
    compare(seen[settled:], after)
    if server:
        end(server)
    print(
        f"# iproute2 {before['ip -V'][0].split('-')[1].split(',')[0]} to {after['ip -V'][0].split('-')[1].split(',')[0]}, {engine}: "
        f"{len(seen)} calls, {settled - start} of them meanwhile, {natives} of the last 200 native"
    )
    check(natives > 100, "after: few are native")


def packages(folder: str) -> list[str]:
    found = [path for name in ("nlsh", "nlsh-preload") for path in glob.glob(f"{folder}/{name}_*.deb")]
    if len(found) != 2:
        print(f"could not run: no packages in {folder}: compat-tests/boot/old, cmake --build --target package")
        sys.exit(77)
    return found


def nlsh():
    old, new = packages("/old"), packages("/packages")
    dpkg(*old)
    (preload,) = glob.glob("/usr/lib/*/nlsh/libnlsh-preload.so")
    variables = {"LD_PRELOAD": preload, "NLSH_SOCKET": SOCKET}
    server = serve("/usr/bin/nlsh")
    programs = [Program("old", **variables)]
    programs[0].more(100)
    dpkg(*new)  # the old server keeps running
    programs.append(Program("new", **variables))
    for program in programs:
        program.more(100)
    end(server)
    server = serve("/usr/bin/nlsh")
    for program in programs:
        program.more(200)
    expected = real()
    counts = collections.Counter()
    for program in programs:
        seen = program.finish()
        compare(seen, expected)
        counts["calls"] += len(seen)
        counts["native"] += program.natives()
    end(server)
    print(f"# nlsh: {counts['calls']} calls, {counts['native']} native")
    check(counts["native"] > counts["calls"] // 2, "few are native")


set_up()
what = sys.argv[1]
nlsh() if what == "nlsh" else iproute2(what.partition("-")[2])
