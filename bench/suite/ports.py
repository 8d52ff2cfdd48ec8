"""Does adding a VLAN member cost more among many ports? Runs a line of SONiC's vlanmgrd (vlanmgr.cpp:247), which took 10 ms among 256
interfaces and 27 ms among 512. If the host's kernel has no VLANs on bridges, an fdb entry replaces the member."""

import dataclasses

from . import measurement, namespace

MEMBER = '/bin/bash -c "/sbin/ip link set \\"Ethernet0\\" master Bridge && /sbin/bridge vlan add vid 10 dev \\"Ethernet0\\" "'
ENTRY = (
    '/bin/bash -c "/sbin/ip link set \\"Ethernet0\\" master Bridge && '
    '/sbin/bridge fdb replace 02:00:00:00:00:77 dev \\"Ethernet0\\" master static"'
)


OF_A_BRIDGE = 1000  # the kernel allows 1023 ports of a bridge


def bridge_of(port):
    return "Bridge" if port < OF_A_BRIDGE else f"Bridge{port // OF_A_BRIDGE}"


def add_ports(first, count, kind):
    """Commands that add `count` ports, from number `first` on."""
    for port in range(first, count):
        if port % OF_A_BRIDGE == 0 and port > 0:
            yield f"link add {bridge_of(port)} up type bridge"
        if kind != "veth":
            yield f"link add Ethernet{port} type {kind}"
        elif port % 2 == 0:
            yield f"link add Ethernet{port} type veth peer name Ethernet{port + 1}"
        yield f"link set Ethernet{port} master {bridge_of(port)}"


@dataclasses.dataclass
class Ports:
    title: str
    line: str
    filtering: bool
    kind: str  # the ports' kind: dummy is cheap, but some kernels lack it
    needs_guest: bool = False

    def measure(self, quick):
        counts, fast, slow = measurement.size(quick, ((16, 256, 512, 2048), 200, 5), ((16, 256), 50, 3), ((4, 8), 5, 1))
        namespace.configure(["link set lo up", "link add Bridge up type bridge" + " vlan_filtering 1" * self.filtering])
        rows, there = [], 0
        for count in counts:
            namespace.configure(add_ports(there, count, self.kind))
            there = count
            with measurement.server() as environment:
                ways = measurement.calls_both(self.line, environment, fast, slow)
            rows.append({"name": f"{count} ports", "line": self.line, "native": measurement.native(self.line), "ways": ways})
        return {
            "title": self.title,
            "ways": ["plain popen", "nlsh popen", "in-process popen", "raw"],
            "ratios": [["plain popen", "nlsh popen"], ["plain popen", "in-process popen"]],
            "note": f"A bridge has at most {OF_A_BRIDGE} ports; the others are another bridge's.",
            "rows": rows,
        }
