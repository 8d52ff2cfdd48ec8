"""Runs SwSS's lines by popen(), and prints each result and the final state, without random values."""

import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from nlsh_test.calls import popen

STATE = (
    "ip -d link",
    "ip addr",
    "ip route show table all",
    "ip -6 route show table all",
    "ip rule",
    "ip neigh",
    "bridge vlan",
    "bridge fdb",
)


def plain(text: str) -> str:
    text = re.sub(r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}|[0-9a-f]{4}\.[0-9a-f:]{12,}|fe80::\S+", "ADDRESS", text)
    text = re.sub(r"NO-CARRIER,|,LOWER_UP|state \w+", "", text)  # the kernel reports these late
    return re.sub(r"\w+_timer +[0-9.]+|expires \w+", "TIMER", text)


os.dup2(1, 2)  # compare error messages, too
for line in (Path(__file__).parent.parent / "swss-lines.txt").read_text().splitlines():
    output, status = popen(line)
    print(plain(f"{line}\n{status} {output}"), flush=True)
for line in STATE:
    done = subprocess.run(
        line.split(), capture_output=True, text=True, check=False, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"}
    )
    print(plain(done.stdout))
