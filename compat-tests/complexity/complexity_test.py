"""A change costs the same number of system calls and netlink messages with 10 and with 1000 links; a show no more memory."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from nlsh_test.namespace import SECONDS, NamespaceTest, enter_network, run
from nlsh_test.place import BUILD, NLSH
from nlsh_test.server import Server

NETWORK = (
    "link add br0 type bridge",
    "link add v0 type veth peer name v1",
    "link set v0 master br0",
    "link set v1 up",
    "addr add 10.0.0.1/24 dev v1",
)
# These run in order.
CHANGES = """
ip link set v0 mtu 1400
ip link set dev v0 up
ip link set v0 nomaster
ip link set v0 master br0
ip link add d0 type bridge
ip link del d0
ip addr add 10.0.0.2/24 dev v1
ip addr del 10.0.0.2/24 dev v1
ip route add 10.1.0.0/16 via 10.0.0.9 dev v1
ip route del 10.1.0.0/16
ip neigh add 10.0.0.9 lladdr 00:11:22:33:44:55 dev v1
ip neigh del 10.0.0.9 dev v1
ip rule add pref 100 table 100
ip rule del pref 100
bridge fdb add 00:11:22:33:44:66 dev v0 master static
bridge fdb del 00:11:22:33:44:66 dev v0 master
bridge link set dev v0 learning off
""".strip().splitlines()
KERNEL = re.compile("netlink|sendto|sendmsg|recvmsg|recvfrom|ioctl")
PIPE = 4000  # so many routes exceed a pipe, so the printing process waits for its reader
COUNT = "n = 0 for _ in io.popen('ip route show'):lines() do n = n + 1 end print(n)"
MORE_KIB = 1024


def peak_kib(process: subprocess.Popen) -> int:
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


class Complexity(NamespaceTest):
    def network(self, *more: str):
        enter_network()
        run("ip", "-batch", "-", input="\n".join((*NETWORK, *more)), text=True, check=True, timeout=4 * SECONDS)

    def calls(self, links: int) -> list[tuple[str, int]]:
        """The network calls of each change."""
        self.network(*(f"link add other{number} type bridge" for number in range(links)))
        found = []
        for change in CHANGES:
            run("strace", "-f", "-qq", "-e", "trace=network,ioctl", "-o", "trace", NLSH, *change.split(), check=True)
            found.append((change, sum(bool(KERNEL.search(line)) for line in Path("trace").read_text().splitlines())))
        return found

    def test_a_change_costs_the_same_with_many_links(self):
        few, many = self.calls(10), self.calls(1000)
        print(*(f"# {count}: {change}" for change, count in many), sep="\n")
        self.assertEqual(few, many)

    def peaks(self, routes: int) -> tuple[int, int]:
        """The peak memory of `nlsh -c` and of a server, in KiB, for a show of so many routes."""
        self.network(*(f"route add 20.{i >> 16}.{i >> 8 & 255}.{i & 255} via 10.0.0.9 dev v1" for i in range(routes)))
        show = subprocess.Popen([NLSH, "-c", "ip route show"], stdout=subprocess.PIPE)
        for _ in range(routes - PIPE):
            show.stdout.readline()
        own = peak_kib(show)
        show.communicate()
        self.assertEqual(show.returncode, 0)
        with Server(self.folder / "sock") as server:
            done = run("lua5.4", "-e", COUNT, environment=server.callers(BUILD / "libnlsh-preload.so"))
            self.assertEqual(int(done.stdout), routes + 1)
            return own, peak_kib(server.process)

    def test_a_large_table_streams(self):
        """200,000 routes take no more memory than 20,000."""
        few, many = self.peaks(20_000), self.peaks(200_000)
        print(f"# nlsh -c: {few[0]} and {many[0]} KiB; the server: {few[1]} and {many[1]} KiB")
        for less, more in zip(few, many):
            self.assertLess(more - less, MORE_KIB)


if __name__ == "__main__":
    unittest.main()
