#!/usr/bin/env python3
"""otherwise.py FOLDER CALLS: builds whose ip and bridge make one call of namespaces, tuns or tunnels otherwise (otherwise.c), each of the
first CALLS of a process in each way. A line whose real program did so must fall back after `nlsh qualify`; another may be native."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import other_build

NLSH = os.environ["NLSH"]
WAYS = ("less", "more", "argument", "later", "last")
BLUE = "ip netns add blue; "
# What comes before each of them.
LINES = {
    "ip -n blue link show": BLUE,
    "ip -n blue link set lo up": BLUE,
    "bridge -n blue link show": BLUE,
    "ip netns exec blue ip link show": BLUE,
    "ip netns exec blue sh -c 'ip link show'": BLUE,
    "ip netns add n1": "",
    "ip netns del blue": BLUE,
    "ip tuntap add dev u1 mode tun": "",
    "ip tunnel add g1 mode gre remote 10.0.0.1 local 10.0.0.2 ttl 5": "",
    "ip link show": "",
    "bridge link show": "",
}


def build(tools: Path, at: int, way: str):
    for tool in ("ip", "bridge"):
        other_build.copy(tool, tools / tool)
        other_build.add_library(tools / tool, tools / "libotherwise.so", "otherwise.c", (f"-DAT={at}", f"-DWAY={way}"))


def does_otherwise(tools: Path, line: str) -> bool:
    fired = tools.parent / "fired"
    fired.unlink(missing_ok=True)
    script = f"mount -t tmpfs none /run; {LINES[line]}OTHERWISE={fired} exec {tools}/{line}"
    environment = os.environ | {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
    words = ["unshare", "-mn", "sh", "-c", script]
    subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False)
    return fired.exists()


def is_native(line: str) -> bool:
    explained = subprocess.run([NLSH, "explain", line], stdout=subprocess.PIPE, text=True, check=False)
    return explained.returncode == 0 or "by `nlsh -c`, which popen, system and exec then start: native" in explained.stdout


def main():
    folder = Path(sys.argv[1])
    counts: Counter[str] = Counter()
    for at in range(int(sys.argv[2]) + 1):  # 0: none
        for way in WAYS if at else ("more",):
            build(folder / "tools", at, way)
            subprocess.run([NLSH, "qualify", "--quiet"], check=True)
            for line in LINES:
                otherwise, native = does_otherwise(folder / "tools", line), is_native(line)
                said = f"{'otherwise' if otherwise else 'as recorded'}, {'native' if native else 'falls back'}"
                counts[said] += 1
                if otherwise == native:
                    print(f"call {at} {way}: {said}: {line}")
    print("\n".join(f"{count} {said}" for said, count in counts.items()))
    sys.exit(counts["otherwise, native"] > 0)


main()
