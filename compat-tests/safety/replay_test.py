"""Runs SwSS's sequence for many VLANs while the server is killed, stopped and restarted at random. The kernel's final state must equal
the plain run's. macvlan replaces vlan, which this kernel may lack. NLSH_VLANS=4000 runs the whole sequence (default 1500)."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import unittest

from nlsh_test import trace

VLANS = int(os.environ.get("NLSH_VLANS", "1500"))
SETUP = ["link add Bridge type bridge", "link set Bridge up"]


def commands(number: int) -> list[str]:
    name, mac = f"Vlan{number}", f"02:00:00:00:{number >> 8:02x}:{number & 255:02x}"
    net = f"10.{number >> 8}.{number & 255}"
    return [
        f"link add link Bridge up name {name} address {mac} type macvlan mode bridge",
        f"link set {name} mtu 1400",
        f"address add {net}.1/24 dev {name}",
        f"neigh replace {net}.9 lladdr {mac} dev {name}",
        f"route replace {net}.128/25 via {net}.9 dev {name}",
    ]


def line(number: int) -> str:
    return '/bin/bash -c "' + " && ".join(f"/sbin/ip {command}" for command in commands(number)) + '"'


# Runs the lines as a daemon would. A line that was cut off may have run in part: the driver repeats each of its commands,
# and accepts that a command finds its work done.
_DRIVER = """
import ctypes, sys
sys.path.insert(0, sys.argv[2])
from safety.replay_test import VLANS, SETUP, commands, line
system = ctypes.CDLL(None).system
cut = 0
for command in SETUP:
    while system(f"/sbin/ip {command} 2>/dev/null".encode()) == 137 << 8:
        pass
for number in range(1, VLANS + 1):
    status = system(line(number).encode())
    if status == 137 << 8:
        cut += 1
        for command in commands(number):
            while system(f"/sbin/ip {command} 2>/dev/null".encode()) == 137 << 8:
                pass
    elif status != 0:
        raise SystemExit(f"{line(number)}: {status}")
print(cut)
"""
_DUMP = "for object in link address 'route show table all' neigh; do /sbin/ip -d -j $object; echo; done"
_QUIET = "echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6; "


def state(text: str) -> list:
    def plain(value):  # without counters and random values
        if isinstance(value, list):
            return [plain(each) for each in value]
        if isinstance(value, dict):
            return {
                key: plain(each)
                for key, each in value.items()
                if "timer" not in key
                and key not in ("operstate", "flags", "bridge_id", "root_id", "address")
                or key == "address"
                and value.get("ifname", "").startswith("Vlan")
            }
        return value

    def in_order(objects):  # neighbours come in the order of the kernel's hash table
        return sorted(objects, key=lambda each: json.dumps(each, sort_keys=True))

    return [in_order(plain(json.loads(part))) for part in text.splitlines() if part]


class Replay(unittest.TestCase):
    def test_under_faults_as_without(self):
        from . import bench

        batch = "\n".join(SETUP + [command for number in range(1, VLANS + 1) for command in commands(number)])
        plain = subprocess.run(
            ["unshare", "-n", "sh", "-c", f"{_QUIET} /sbin/ip -batch - && {_DUMP}"], input=batch, text=True, capture_output=True, check=True
        )
        server = bench.Server()
        server.start()
        chance = random.Random(1)
        environment = os.environ | {"NLSH_SOCKET": bench.SOCKET, "NLSH_TRACE": "/run/trace", "NLSH_TIMEOUT_MS": "300"}
        client = subprocess.Popen(
            [
                "unshare",
                "-n",
                "sh",
                "-c",
                f'{_QUIET} LD_PRELOAD="$3" /usr/bin/python3 -B -c "$1" x "$2" && {_DUMP}',
                "sh",
                _DRIVER,
                str(bench.ROOT / "compat-tests"),
                str(bench.PRELOAD),
            ],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        with open("/run/output", "w+") as output:
            reader = threading.Thread(target=lambda: output.write("\0".join(client.communicate())))
            reader.start()
            faults = self.disturb(client, server, chance, bench)
            reader.join()
            output.seek(0)
            out, error = output.read().split("\0")
        self.assertEqual(client.returncode, 0, error)
        # If the server was away, a real shell ran, and reports an `ip` whose request was cut off as a killed one.
        killed = error.splitlines()
        self.assertEqual(set(killed) - {"Killed"}, set())
        self.assertLessEqual(len(killed), faults)
        cut, dump = out.split("\n", 1)
        native = trace.natives("/run/trace")
        print(f"# {VLANS} VLANs, {faults} faults, {native} native lines, {cut} cut off", file=sys.stderr)
        self.assertGreater(faults, 3)
        self.assertGreater(native, VLANS // 4)
        self.assertEqual(state(dump), state(plain.stdout))
        if server.process.poll() is None:
            server.end()

    @staticmethod
    def disturb(client, server, chance, bench) -> int:
        faults = 0
        while client.poll() is None:
            time.sleep(chance.uniform(0.02, 0.2))
            fault = chance.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP))
            faults += 1
            if fault == signal.SIGSTOP:
                server.send(fault)
                time.sleep(chance.uniform(0, 0.5))
                server.send(signal.SIGCONT)
            else:
                server.end(fault)
                server.start()
        return faults
