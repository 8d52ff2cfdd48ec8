#!/usr/bin/env python3
"""blocks.py NLSH: batches of a build that writes its output in blocks (7.1 and later), by the real one and by nlsh: the order of output
and errors in one pipe, the sizes of its writes, what has come before the input ends, what SIGTERM loses, and the memory for many shows."""

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PREPARE = """ip link set lo up
for i in $(seq 10 30); do
    ip link add v$i address 02:00:00:00:01:$i type veth peer name w$i address 02:00:00:00:02:$i
    ip address add 10.0.$i.1/24 dev v$i
done
"""
SHOWS = "address show dev lo\nroute show\naddress show\n"
# A batch, and how nlsh answers it in one pipe for both outputs: natively, or from its beginning, or from a line on, by the real one.
FORCED = [
    (SHOWS, "native"),
    ("address show dev lo\naddress add 10.0.10.1/24 dev v10\naddress show dev lo\n", "native"),
    ("address add 10.0.10.1/24 dev v10\naddress show\naddress add 10.0.10.1/24 dev v10\nroute show\n", "native"),
    ("route show\nroute del 10.77.0.0/16\nroute show\nroute del 10.78.0.0/16\nneigh show\n", "native"),
    ("address show\naddress show dev nosuch\naddress show dev lo\nlink set nosuch up\naddress show\n", "fallback"),
    ("address show dev lo\nlink bogus\naddress show\n", "fallback"),
    ("address show dev lo\nlink set v10 mtu 1400\naddress show dev v10\nlink set nosuch up\nroute show\n", "fallback"),
    ("address show dev lo\nlink set v10 mtu 1400\nnetns exec nosuch true\nroute show\n", "fallback"),
]
# Batches of many shows of a large table, beyond what nlsh holds back: the rest, and as above. Where the real one takes over in the
# middle, an error may come a block too early or too late, within a line (decision 005): then the bytes are compared in any order.
LARGE_TABLE = "".join(f"route add 10.1{i}.{j}.0/24 dev lo\n" for i in range(8) for j in range(250))
LARGE = [
    ("", "native", False),
    ("address show\naddress add 10.0.10.1/24 dev v10\nroute show\n", "native", False),
    ("link bogus\nroute show\n", "fallback", False),
    ("address show dev lo\naddress show dev nosuch\nroute show\n", "fallback", True),
]
SHOWN = 25, 1000  # shows; all output of the second is 60 MB
STREAMED = ["route show\n", "route show\naddress show\nroute show\n", "route show\nroute del 10.77.0.0/16\n"]
# Fails after each of them, which shows that the lines before it have run.
LAST = "route del 10.79.0.0/16\n"


def run(tool, trace, script, **streams):
    environment = os.environ | {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "NLSH_TRACE": trace}
    return subprocess.Popen(["unshare", "-n", "bash", "-c", f"{PREPARE}PATH={tool}:$PATH; {script}"], env=environment, **streams)


def forced(tool, trace, batch):
    done = run(tool, trace, f"ip -force -batch {batch} 2>&1; echo status $?", stdout=subprocess.PIPE)
    return done.communicate()[0]


def large(tool, trace, batch, table, any_order=False):
    """The output, or its bytes in any order; and the peak of memory in KiB."""
    script = f"/usr/sbin/ip -batch {table}; exec ip -force -batch {batch} 2>&1"
    process = run(tool, trace, script, stdout=subprocess.PIPE)
    digest = hashlib.sha256()
    if any_order:
        digest.update(bytes(sorted(process.stdout.read())))
    while part := process.stdout.read(65536):
        digest.update(part)
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    return (digest.hexdigest(), status), usage.ru_maxrss


def writes(tool, trace, batch):
    """Of a batch without errors, to a pipe that keeps writes apart."""
    reader, writer = os.pipe2(os.O_DIRECT)
    process = run(tool, trace, f"exec ip -batch {batch}", stdout=writer)
    os.close(writer)
    found = []
    while part := os.read(reader, 65536):
        found.append(part)
    os.close(reader)
    process.wait()
    return found


def streamed(tool, trace, text, end):
    """What has come when the last line has failed, and after the input's end or a signal."""
    reader, writer = os.pipe()
    process = run(tool, trace, "echo ready; exec ip -force -batch - 2>&1", stdin=subprocess.PIPE, stdout=writer)
    os.close(writer)
    os.read(reader, 6)
    lines = (text + LAST).splitlines(keepends=True)
    for line in lines:
        process.stdin.write(line.encode())
        process.stdin.flush()
        time.sleep(0.1)
    before = b""
    while not before.endswith(f"Command failed -:{len(lines)}\n".encode()) and (part := os.read(reader, 1 << 20)):
        before += part
    if end == "close":
        process.stdin.close()
    else:
        process.terminate()
    after = b""
    while part := os.read(reader, 1 << 20):
        after += part
    process.wait()
    return before, after


def main():
    nlsh = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        for tool in ("ip", "bridge"):
            os.symlink(nlsh, f"{folder}/{tool}")
        trace, batch, table = Path(folder, "trace"), Path(folder, "batch"), Path(folder, "table")
        table.write_text(LARGE_TABLE)
        count = wrong = 0

        def compare(what, way, *arguments):
            nonlocal count, wrong
            real = way("/usr/sbin", str(trace), *arguments)
            trace.write_text("")
            ours = way(folder, str(trace), *arguments)
            answers = {line.split("\t")[1] for line in trace.read_text().splitlines()}
            count += 1
            if real != ours:
                wrong += 1
                print(f"{what!r}:\n  real {real}\n  nlsh {ours}\n  {trace.read_text()}")
            return answers

        def check(text, answers, wanted):
            nonlocal wrong
            if answers != {wanted}:
                wrong += 1
                print(f"{text!r}: {answers}, not {wanted}\n{trace.read_text()}")

        peaks = []  # first: a process begins with the memory of this one
        for often in SHOWN:
            batch.write_text("route show\n" * often)
            peaks.append(large(folder, str(trace), batch, table)[1])
        wrong += peaks[1] > peaks[0] + 1024
        for text, answer in FORCED:
            batch.write_text(text)
            check(text, compare(text, forced, batch), answer)
        for text, answer, any_order in LARGE:
            batch.write_text("route show\n" * SHOWN[0] + text)
            check(text, compare(f"{text} after many shows", lambda *a: large(*a)[0], batch, table, any_order), answer)
        batch.write_text(SHOWS)
        compare(f"writes of {SHOWS}", writes, batch)
        for text in STREAMED:
            check(text, compare(f"{text}, then the end", streamed, text, "close"), "native")
            compare(f"{text}, then SIGTERM", streamed, text, "signal")
        print(f"{count} batches, {wrong} wrong; memory for {SHOWN[0]} and {SHOWN[1]} shows: {peaks[0]} and {peaks[1]} KiB")
        return bool(wrong)


sys.exit(main())
