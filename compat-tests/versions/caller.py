"""Part of versions.bats: runs command lines by popen, system and exec, and prints each result.

Prints "hung" for a line that takes longer than LIMIT seconds: a caller must not wait for another release."""

import ctypes
import os
import subprocess
import time

LIMIT = 8

LINES = [
    "ip link set v0 mtu 1400 up",
    "ip link show v0",
    "ip -j -d link show br0",
    "ip link set nosuch up",
    "ip link set v0 nosuchword",
    "ip link set v0 master br0 && bridge vlan add vid 10 dev v0 2>/dev/null; bridge link show dev v0 | grep -c mtu",
    "ip addr show dev lo",  # 200 addresses, which exceed a reply
    "echo 1 > /proc/sys/net/ipv4/conf/v0/forwarding && cat /proc/sys/net/ipv4/conf/v0/forwarding",
    "for d in v0 br0; do ip link set $d down || exit 3; done",
    "ip -batch /nosuch",
    "ip route add 192.0.2.0/24 dev lo || ip route show table nosuch",
    "ip netns exec nosuch true",
]

libc = ctypes.CDLL(None)
libc.popen.restype = libc.fdopen.restype = ctypes.c_void_p
libc.pclose.argtypes = libc.fileno.argtypes = libc.fflush.argtypes = [ctypes.c_void_p]
libc.fputs.argtypes = [ctypes.c_char_p, ctypes.c_void_p]


def popen(line):
    stream = libc.popen(line.encode(), b"r")
    output = b""
    while piece := os.read(libc.fileno(stream), 65536):
        output += piece
    return output.decode(), libc.pclose(stream)


def feed(line, text):
    stream = libc.popen(line.encode(), b"w")
    libc.fputs(text.encode(), stream)
    return "", libc.pclose(stream)


def run_system(line):
    return "", libc.system(line.encode())


def execute(line):
    words = line.split()
    ended = subprocess.run(words, capture_output=True, text=True, close_fds=False)
    return ended.stdout + ended.stderr, ended.returncode


def spawn(line):
    words = line.split()
    child = os.posix_spawnp(words[0], words, os.environ)
    return "", os.waitpid(child, 0)[1]


def told(way, line, function, *arguments):
    start = time.monotonic()
    output, status = function(line, *arguments)
    late = " hung" if time.monotonic() - start > LIMIT else ""
    print(f"{way} [{line}] status {status}{late}\n{output}", end="", flush=True)


def main():
    for _ in range(2):  # the second call may use a kept connection
        for line in LINES:
            told("popen", line, popen)
            told("system", line, run_system)
    for line in LINES:
        if not set(line) & set(";|&>$"):
            told("exec", line, execute)
            told("spawn", line, spawn)
    told("popen w", "ip -batch -", feed, "link set v0 mtu 1300\nlink set nosuch up\n")
    for _ in range(300):  # would exhaust the server's descriptors if each call leaked one
        run_system("ip link set v0 mtu 1350")


main()
