#!/usr/bin/env python3
"""Runs each line with each sink by one way into the shell; a JSON line for each on standard output.

worker.py WAY FOLDER LINES: WAY is system, popen or a program that takes `-c LINE`."""

import fcntl
import json
import os
import signal
import socket
import struct
import subprocess
import sys

from sinks import SINKS

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from nlsh_test.calls import enter_network, libc

SIOCGIFMTU = 0x8921
LIMIT = 60  # seconds for a call
ROUTES = 4000  # a show of these exceeds a pipe
STREAMS = {"out": [1], "err": [2], "both": [1, 2]}


def mtu():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        answer = fcntl.ioctl(control, SIOCGIFMTU, struct.pack("16si", b"lo", 0) + bytes(12))
    return struct.unpack("16si", answer[:20])[1]


def add_routes():
    """Adds so many routes that a show exceeds a pipe."""
    batch = "link set lo up\n" + "".join(f"route add 10.{i >> 8}.{i & 255}.1 dev lo\n" for i in range(ROUTES))
    with os.fdopen(os.memfd_create("batch"), "w") as file:
        file.write(batch)
        file.flush()
        subprocess.run(["/sbin/ip", "-batch", f"/proc/self/fd/{file.fileno()}"], pass_fds=[file.fileno()], env={}, check=True)


def call(way, line):
    """Runs the line; returns its wait status."""
    if way == "system":
        return libc.system(line.encode())
    if way == "popen":
        stream = libc.popen(line.encode(), b"r")
        # The program reads everything, or closes the stream after the first of thousands of routes.
        while os.read(libc.fileno(stream), 4096) and "route show" not in line:
            pass
        return libc.pclose(stream)
    child = os.fork()
    if child == 0:
        os.execvp(way, [way.split("/")[-1], "-c", line])
    return os.waitpid(child, 0)[1]


def in_child(way, line, sink, streams, folder, report):
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    for name, number in (("text-out", 1), ("text-err", 2)):
        os.dup2(os.open(f"{folder}/{name}", os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644), number)
    enter_network()
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them
        signal.signal(number, signal.SIG_DFL)
    if "route show" in line:
        add_routes()
    signal.alarm(LIMIT)
    SINKS[sink](STREAMS[streams], folder)
    status = call(way, line)
    os.write(report, json.dumps([status, mtu()]).encode())
    os._exit(0)


def content(path):
    with open(path, errors="replace") as file:
        return file.read()


def run(way, line, sink, streams, folder):
    for name in ("out", "disk/out"):
        if os.path.exists(f"{folder}/{name}"):
            os.truncate(f"{folder}/{name}", 0)
    read_end, report = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read_end)
            high = fcntl.fcntl(report, fcntl.F_DUPFD_CLOEXEC, 100)
            in_child(way, line, sink, streams, folder, high)
        finally:
            os._exit(99)
    os.close(report)
    got = os.read(read_end, 4096)
    os.close(read_end)
    os.waitpid(child, 0)
    status, number = json.loads(got) if got else ("died", None)
    return {
        "status": status,
        "mtu": number,
        "out": content(f"{folder}/text-out"),
        "err": content(f"{folder}/text-err"),
        "file": content(f"{folder}/out") if os.path.exists(f"{folder}/out") else "",
    }


def main():
    way, folder, lines = sys.argv[1:4]
    for entry in open(lines):
        line, sink, streams = entry.rstrip("\n").split("\t")
        print(json.dumps(run(way, line, sink, streams, folder)), flush=True)


main()
