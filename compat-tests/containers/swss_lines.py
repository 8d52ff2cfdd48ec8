"""Runs SwSS's lines by popen(), and prints each result and the final state, without random values."""

import ctypes
import os
import re
import subprocess
from pathlib import Path

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

libc = ctypes.CDLL(None)
libc.popen.restype = ctypes.c_void_p
libc.pclose.argtypes = libc.fileno.argtypes = [ctypes.c_void_p]


def plain(text: str) -> str:
    text = re.sub(r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}|[0-9a-f]{4}\.[0-9a-f:]{12,}|fe80::\S+", "ADDRESS", text)
    text = re.sub(r"NO-CARRIER,|,LOWER_UP|state \w+", "", text)  # the kernel tells it late
    return re.sub(r"\w+_timer +[0-9.]+|expires \w+", "TIMER", text)


def popen(line: str) -> tuple[str, int]:
    stream = libc.popen(line.encode(), b"r")
    text = b""
    while piece := os.read(libc.fileno(stream), 65536):
        text += piece
    return text.decode(), libc.pclose(stream)


os.dup2(1, 2)  # what a line complains of is compared as well
for line in (Path(__file__).parent.parent / "swss-lines.txt").read_text().splitlines():
    output, status = popen(line)
    print(plain(f"{line}\n{status} {output}"), flush=True)
for line in STATE:
    done = subprocess.run(
        line.split(), capture_output=True, text=True, check=False, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"}
    )
    print(plain(done.stdout))
