"""A daemon that adds many VLANs by SwSS's own lines (vlanmgrd): plain, by nlsh, and as bare netlink requests, each in a fresh
namespace. The host's kernel may have no VLANs, so a macvlan on a bridge replaces them there."""

import dataclasses
import os
from collections.abc import Callable

from . import measurement, namespace

PORTS = ("Ethernet0", "Ethernet4")


def mac(index):
    return f"02:00:00:00:{index >> 8:02x}:{index & 255:02x}"


def real_vlan(index):
    """vlanmgrd's lines for a VLAN and its members (vlanmgr.cpp:125, :138, :170, :247)."""
    name = f"Vlan{index}"
    return [
        f'/bin/bash -c "/sbin/bridge vlan add vid {index} dev Bridge self && '
        f'/sbin/ip link add link Bridge up name {name} address {mac(index)} type vlan id {index}"',
        f"/bin/echo 0 > /proc/sys/net/ipv4/conf/{name}/arp_evict_nocarrier",
        f'/sbin/ip link set {name} "up"',
        *(
            f'/bin/bash -c "/sbin/ip link set \\"{port}\\" master Bridge && /sbin/bridge vlan add vid {index} dev \\"{port}\\" "'
            for port in PORTS
        ),
    ]


def stand_in_commands(index):
    """The commands of a batch file, which also make up the lines."""
    name = f"Vlan{index}"
    return [
        f"link add link Bridge name {name} address {mac(index)} type macvlan mode bridge",
        f"link set {name} mtu 1400",
        f"link set {name} up",
        f"address add 10.{64 + (index >> 8)}.{index & 255}.1/24 dev {name}",
    ]


def stand_in(index):
    add, mtu, up, address = (f"/sbin/ip {command}" for command in stand_in_commands(index))
    return [f'/bin/bash -c "{add} && {mtu}"', f"/bin/echo 0 > /proc/sys/net/ipv4/conf/Vlan{index}/arp_accept", up, address]


def removal(index):
    return [f'/bin/bash -c "/sbin/ip link del Vlan{index} && /sbin/bridge vlan del vid {index} dev Bridge self"']


def ranges(first, last):
    """Adds members by ranges, for which SONiC's netlink design had an operation."""
    return [f'/bin/bash -c "/sbin/bridge vlan add vid {first}-{last} dev {port}"' for port in PORTS]


def bridge(filtering):
    """The set-up's commands: SwSS's bridge with two ports."""
    namespace.configure(
        ["link set lo up", "link add Bridge up type bridge" + " vlan_filtering 1" * filtering]
        + [line for port in PORTS for line in (f"link add {port} type veth peer name peer{port}", f"link set {port} master Bridge up")]
    )


@dataclasses.dataclass
class Row:
    name: str
    lines: list[str]
    before: list[str] = dataclasses.field(default_factory=list)
    batch: list[tuple[str, list[str]]] = dataclasses.field(default_factory=list)  # the same for `ip -batch`: tool, its commands
    sample: int = 0  # plain runs only so many lines at either end, from which the total is estimated


def vlan_rows(count):
    first, last = 2, count + 1
    numbers = range(first, last + 1)
    added = [line for index in numbers for line in real_vlan(index)]
    by_range = [line for index in numbers for line in real_vlan(index)[:3]] + ranges(first, last)
    removed = [line for index in numbers for line in removal(index)]
    return [
        Row("one VLAN, two members", real_vlan(first)),
        Row(f"{count} VLANs, two members each", added, batch=vlan_batches(numbers)),
        Row(f"{count} VLANs, the members by a range", by_range),
        Row(f"{count} VLANs removed", removed, before=by_range),
        Row(f"a restart: {count} removed, added again", removed + added, before=by_range),
    ]


def vlan_batches(numbers):
    """The commands of real_vlan's lines, sorted by tool, because `ip -batch` takes no command of bridge, and vice versa."""
    return [
        ("bridge", [f"vlan add vid {index} dev Bridge self" for index in numbers]),
        (
            "ip",
            [
                command
                for index in numbers
                for command in (
                    f"link add link Bridge up name Vlan{index} address {mac(index)} type vlan id {index}",
                    f"link set Vlan{index} up",
                    *(f"link set {port} master Bridge" for port in PORTS),
                )
            ],
        ),
        ("bridge", [f"vlan add vid {index} dev {port}" for index in numbers for port in PORTS]),
    ]


def many_vlans_rows(count):
    numbers = range(2, count + 2)
    return [
        Row(
            f"{count} VLANs, two members each",
            [line for index in numbers for line in real_vlan(index)],
            batch=vlan_batches(numbers),
            sample=len(real_vlan(2)) * max(1, count // 200),
        )
    ]


def stand_in_rows(count):
    numbers = range(2, count + 2)
    return [
        Row(
            f"{count} devices",
            [line for index in numbers for line in stand_in(index)],
            batch=[("ip", [command for index in numbers for command in stand_in_commands(index)])],
        )
    ]


@dataclasses.dataclass
class Sequence:
    title: str
    rows: Callable[[int], list[Row]]
    filtering: bool
    count: int
    quick_count: int
    needs_guest: bool = False  # only the guest's kernel has VLANs

    def measure(self, quick):
        rows = self.rows(measurement.size(quick, self.count, self.quick_count, 2))
        return {
            "title": self.title,
            "ways": ["plain", "nlsh", "in-process", "ip -batch", "nlsh -force", "raw"],
            "ratios": [
                ["plain", "nlsh"],
                ["plain", "in-process"],
                ["ip -batch", "nlsh"],
                ["ip -batch", "nlsh -force"],
                ["nlsh", "raw"],
                ["in-process", "raw"],
            ],
            "note": "By popen, one line after the other. *raw* also writes to /proc/sys, which `ip -batch` doesn't."
            + "".join(
                f" {row.name}: plain is estimated from the first and the last {row.sample} of {len(row.lines)} lines."
                for row in rows
                if row.sample
            ),
            "rows": [
                {"name": row.name, "line": row.lines[0], "native": all(map(measurement.native, row.lines[:5])), "ways": self.ways(row)}
                for row in rows
            ],
        }

    def plain(self, row):
        if not row.sample:
            return measurement.sequence("popen", row.lines, dict(os.environ))
        ends = measurement.sequence("popen", row.lines[: row.sample], dict(os.environ))
        run_lines(row.lines[row.sample : -row.sample])
        ends += measurement.sequence("popen", row.lines[-row.sample :], dict(os.environ))
        # A line's cost grows linearly with the number of interfaces.
        return [sum(ends) / len(ends) * len(row.lines)]

    def ways(self, row):
        self.fresh(row)
        ways = {"plain": total(self.plain(row))}
        self.fresh(row)
        with measurement.server() as environment:
            ways["nlsh"] = total(measurement.sequence("popen", row.lines, environment))
        self.fresh(row)
        ways["in-process"] = total(measurement.sequence("popen", row.lines, measurement.in_process()))
        if row.batch:
            self.fresh(row)
            ways["ip -batch"] = total([measurement.elapsed(lambda each=each: measurement.batch(*each)) for each in row.batch])
            self.fresh(row)
            ways["nlsh -force"] = total([measurement.elapsed(lambda each=each: forced(*each)) for each in row.batch])
        with measurement.file_of(row.lines) as file:
            self.fresh(row)
            with measurement.requests_file([measurement.NLSH, file]) as requests:
                self.fresh(row)  # interfaces get the same indices in each fresh namespace
                ways["raw"] = total([float(measurement.run(measurement.BUILD / "bench_replay", requests, 1))])
        return ways

    def fresh(self, row):
        namespace.leave("Bridge")
        bridge(self.filtering)
        if row.before:
            run_lines(row.before)


def forced(tool, lines):
    """Runs the batch by nlsh with -force, so that nlsh sends ahead."""
    measurement.batch(tool, lines, measurement.NLSH, tool, "-force")


def run_lines(lines):
    with measurement.file_of(lines) as file:
        measurement.run(measurement.NLSH, file)


def total(samples_us):
    return {"median": sum(samples_us), "p99": sum(samples_us), "calls": 1}
