#!/usr/bin/env python3
"""Runs random shell lines by dash and by nlsh: `sh -n` must accept each line that nlsh accepts, with the same stdout, stderr and status.

    differential.py [--seed N] [--lines N] [--jobs N] [--corpus FOLDER]

It doesn't run lines that nlsh declines. For a difference, it prints the fewest words that show it, and the status is 1.
--corpus: a corpus of libFuzzer's shell_fuzz, to mutate. Everything runs in new network and mount namespaces."""

import argparse
import ctypes
import multiprocessing
import os
import re
import signal
import socket
import struct
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
# A line may write to /proc/sys, of which only net belongs to the namespace.
_ALONE = (
    "mount -t tmpfs -o mode=755 run /run; for folder in kernel vm fs; do mount -o bind,ro /proc/sys/$folder /proc/sys/$folder; done; "
    'exec python3 -B "$@"'
)
if os.environ.get("NLSH_SAFETY") != "differential" and __name__ == "__main__":
    os.environ["NLSH_SAFETY"] = "differential"
    os.execvp("unshare", ["unshare", "-nm", "--propagation", "private", "sh", "-c", _ALONE, "sh", *sys.argv])

from nlsh_test.calls import enter_network, libc  # noqa: E402
from safety import bench  # noqa: E402 (it asks for the namespaces)
from shell import generate  # noqa: E402

PATIENCE = 20  # seconds for a line
REPEATS = 6  # a pipeline's stages may write in any order: then two runs of the reference differ
STREAMS = struct.pack("=IHBB", bench.MAGIC, bench.VERSION, 0, 0)
ENVIRONMENT = {b"PATH": b"/sbin:/bin:/usr/sbin:/usr/bin", b"LC_ALL": b"C"}
VARIABLES = b"".join(name + b"=" + value + b"\0" for name, value in ENVIRONMENT.items())


class Result(NamedTuple):
    status: int
    out: bytes
    err: bytes


class Twins:
    """Two network namespaces, in which a line runs by the real shell and by nlsh."""

    def __init__(self):
        self.real, self.ours = self._namespace(), self._namespace()
        self.files = [os.memfd_create(name) for name in ("out", "err")]
        self.null = os.open("/dev/null", os.O_RDWR)

    def _namespace(self) -> int:
        enter_network()
        os.system("ip link set lo up")
        return os.open("/proc/self/ns/net", os.O_RDONLY)

    def close(self) -> None:
        for descriptor in (self.real, self.ours, self.null, *self.files):
            os.close(descriptor)

    def enter(self, namespace: int):
        if libc.setns(namespace, 0) != 0:
            raise OSError(ctypes.get_errno(), "setns")

    def _emptied(self) -> list[int]:
        for file in self.files:
            os.ftruncate(file, 0)
            os.lseek(file, 0, os.SEEK_SET)
        return self.files

    def _result(self, status: int) -> Result:
        return Result(status, *(os.pread(file, 1 << 22, 0) for file in self.files))

    def reference(self, line: bytes, *options: bytes) -> Result:
        self.enter(self.real)
        out, err = self._emptied()
        actions = [(os.POSIX_SPAWN_DUP2, self.null, 0), (os.POSIX_SPAWN_DUP2, out, 1), (os.POSIX_SPAWN_DUP2, err, 2)]
        process = os.posix_spawn("/bin/sh", [b"sh", *options, b"-c", line], ENVIRONMENT, file_actions=actions, setsigdef=[signal.SIGPIPE])
        signal.alarm(PATIENCE)
        status = os.waitpid(process, 0)[1]
        signal.alarm(0)
        return self._result(status)

    def native(self, line: bytes) -> Result | None:
        """None if nlsh declines the line."""
        self.enter(self.ours)
        files = self._emptied()
        with bench.Peer(PATIENCE) as peer:
            peer.socket.send(bench.request(line, environment=VARIABLES))
            frame = peer.socket.recv(8192)
            if frame[6] == bench.STREAM:
                socket.send_fds(peer.socket, [STREAMS], files)
                frame = peer.socket.recv(8192)
        if not frame:
            raise RuntimeError("the server has closed the connection")
        return self._result(struct.unpack_from("=i", frame, 8)[0]) if frame[6] == bench.DONE else None

    def difference(self, line: bytes) -> tuple[str, str]:
        """A verdict and what it means: declined, same, racy or DIFFERENT."""
        ours = self.native(line)
        if ours is None:
            return "declined", ""
        syntax = self.reference(line, b"-n")
        if syntax.status != 0:
            return "DIFFERENT", f"sh -n refuses it: {syntax.err!r}"
        real = self.reference(line)
        if real == ours:
            return "same", ""
        if any(self.reference(line) != real or self.native(line) != ours for _ in range(REPEATS)):
            return "racy", ""
        return "DIFFERENT", f"real {real}\n    nlsh {ours}"

    def reduced(self, line: bytes) -> bytes:
        """The line with as few pieces as possible that still differs."""
        pieces = re.findall(rb"\s+|\w+|[^\w\s]", line)
        at = 0
        while at < len(pieces):
            fewer = pieces[:at] + pieces[at + 1 :]
            if self.difference(b"".join(fewer))[0] == "DIFFERENT":
                pieces = fewer
            else:
                at += 1
        return b"".join(pieces)


def hunt(job: int, options: argparse.Namespace) -> tuple[Counter, int]:
    twins = Twins()
    generator = generate.Generator(f"{options.seed}/{job}", generate.corpus(options.corpus))
    counts: Counter = Counter()
    nested = 0
    for _ in range(options.lines // options.jobs):
        line = generator.line().encode("utf-8", "surrogateescape")
        verdict, meaning = twins.difference(line)
        counts[verdict] += 1
        nested += verdict == "same" and b"bash" in line
        if verdict == "DIFFERENT" and counts[verdict] <= options.most:
            line = twins.reduced(line)
            print(f"DIFFERENT: {os.fsdecode(line)!r}\n    {twins.difference(line)[1]}", flush=True)
    return counts, nested


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=5000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--corpus", type=os.path.abspath)
    parser.add_argument("--most", type=int, default=10, help="differences that are printed")
    options = parser.parse_args()
    os.chdir("/run")
    os.system("ip netns add blue")
    server = bench.Server()
    server.start("--log", "off")
    try:
        with multiprocessing.Pool(options.jobs, maxtasksperchild=1) as pool:
            results = pool.starmap(hunt, [(job, options) for job in range(options.jobs)], chunksize=1)
    finally:
        server.end()
    counts = sum((each[0] for each in results), Counter())
    taken = counts.total() - counts["declined"]
    print(
        f"{counts.total()} lines of seed {options.seed}, {taken} taken by nlsh: {counts['same']} the same ({sum(each[1] for each in results)} by bash), "
        f"{counts['racy']} that differ from themselves, {counts['DIFFERENT']} different"
    )
    return 1 if counts["DIFFERENT"] else 0


if __name__ == "__main__":
    sys.exit(main())
