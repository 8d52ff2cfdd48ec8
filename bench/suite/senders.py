"""How fast one process, or two, sends packets by each interface of the kernel, over veth: bench/senders.c."""

import contextlib
import functools
import os
import subprocess
import time

from . import measurement

# {word of bench_senders: name in the table}. The table compares the others with the first.
WAYS = {
    "connected": "UDP, connected, send",
    "sendto": "UDP, sendto",
    "sendmmsg": "UDP, sendmmsg, 64 at once",
    "raw": "raw, its own IP header",
    "packet": "AF_PACKET, send",
    "ring": "AF_PACKET, mapped ring, 64 at once",
    "libpcap": "libpcap, pcap_inject",
    "xdp": "AF_XDP, copy mode, 64 at once",
}
SIZES = (64, 1400)
PROCESSES = (1, 2)
RECEIVER = "bench-receiver"
UNAVAILABLE = 77
LIMIT_S = 60


def receiver(*command):
    return measurement.run("ip", "netns", "exec", RECEIVER, *command)


@contextlib.contextmanager
def wire():
    """A veth pair into another namespace. The far end counts packets and drops them; yields its MAC address."""
    measurement.run("ip", "netns", "add", RECEIVER)
    try:
        measurement.configure(
            [
                f"link add tx0 numtxqueues 2 numrxqueues 2 type veth peer name rx0 numtxqueues 2 numrxqueues 2 netns {RECEIVER}",
                "addr add 10.99.0.1/24 dev tx0",
                "link set tx0 up",
            ]
        )
        receiver("ip", "link", "set", "rx0", "up")
        mac = receiver("cat", "/sys/class/net/rx0/address").strip()
        measurement.configure([f"neigh add 10.99.0.2 lladdr {mac} dev tx0 nud permanent"])
        yield mac
    finally:
        measurement.run("ip", "netns", "del", RECEIVER)


def received():
    return int(receiver("cat", "/sys/class/net/rx0/statistics/rx_packets"))


class Unavailable(Exception):
    """Says why this machine lacks a way."""


def ready(process):
    said = process.stdout.readline().strip()
    if said == "ready":
        return
    if process.wait() == UNAVAILABLE:
        raise Unavailable(said)
    raise RuntimeError(f"{process.args}: {said} ({process.returncode})")


def started(words, number):
    """Starts the program on its own processor, if there are enough."""
    usable = sorted(os.sched_getaffinity(0))
    start = functools.partial(subprocess.Popen, words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return measurement.on_processors({usable[number % len(usable)]}, start)


def rate(way, mac, size, processes, count):
    """Packets a second that the receiver's device has counted."""
    with contextlib.ExitStack() as stack:
        senders = []
        try:
            for queue in range(processes):
                words = [measurement.BUILD / "bench_senders", way, "tx0", mac, queue, size, count // processes]
                senders.append(stack.enter_context(started([str(word) for word in words], queue)))
                ready(senders[-1])
            before = received()
            for sender in senders:
                sender.stdin.write("\n")
                sender.stdin.flush()
            ends = [[float(word) for word in sender.communicate(timeout=LIMIT_S)[0].split()] for sender in senders]
        finally:
            for sender in senders:
                sender.kill()
    if any(sender.returncode for sender in senders):
        raise RuntimeError(f"{way}: {[sender.returncode for sender in senders]}")
    time.sleep(0.05)  # wait for packets on their way
    return (received() - before) / (max(end for _, end in ends) - min(start for start, _ in ends))


def column(size, processes):
    return f"{size} bytes, {processes} process{'es' if processes > 1 else ''}"


def median(values):
    return sorted(values)[len(values) // 2]


class Senders:
    def measure(self, quick):
        count, rounds = measurement.size(quick, (200_000, 5), (40_000, 3), (2_000, 1))
        cells = [(size, processes) for size in SIZES for processes in PROCESSES]
        rates = {way: {column(*cell): [] for cell in cells} for way in WAYS}
        reasons = {}
        with wire() as mac:
            for _ in range(rounds):
                for cell in cells:
                    for way in (way for way in WAYS if way not in reasons):
                        try:
                            rates[way][column(*cell)].append(rate(way, mac, *cell, count))
                        except Unavailable as reason:
                            reasons[way] = str(reason)
        columns = [column(*cell) for cell in cells]
        rows = [
            {"name": name, "ways": {each: median(rates[way][each]) for each in columns if rates[way][each]}} for way, name in WAYS.items()
        ]
        for row in rows:
            row["ways"] |= {
                f"{each} : connected": {"ratio": row["ways"][each] / rows[0]["ways"][each]} for each in columns if each in row["ways"]
            }
        missing = "".join(f" Not measured: {WAYS[way]} ({reason})." for way, reason in reasons.items())
        return {
            "title": "Packets sent, a second",
            "ways": columns + [f"{each} : connected" for each in columns],
            "ratios": [],
            "bars": columns,
            "unit": "packets a second",
            "note": f"UDP over veth into another network namespace; {count:,} packets of so many bytes of payload, the median of {rounds} runs. "
            f"{len(WAYS) - len(reasons)} of {len(WAYS)} ways measured.{missing}",
            "rows": rows,
        }
