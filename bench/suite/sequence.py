"""A daemon that adds many VLANs, as vlanmgrd does: for each a chain that makes it, and one that configures it. A
macvlan on a bridge stands in for the VLAN device, which not every kernel has."""
import os
import tempfile

from . import measurement, namespace


def commands(index):
    """The ip commands for one device: what a batch file runs, and what the chains are made of."""
    name = f"Vlan{index}"
    return [
        f"link add link br0 name {name} address 02:00:00:00:{index >> 8:02x}:{index & 255:02x} type macvlan mode bridge",
        f"link set {name} mtu 1400",
        f"link set {name} up",
        f"addr add 10.{64 + (index >> 8)}.{index & 255}.1/24 dev {name}",
    ]


def lines(index):
    add, mtu, up, address = (f"/sbin/ip {command}" for command in commands(index))
    return [f'/bin/bash -c "{add} && {mtu}"', f"/bin/echo 0 > /proc/sys/net/ipv4/conf/Vlan{index}/arp_accept",
            up, address]


def clean(_):
    """Removing the bridge removes the macvlans on it, in one go."""
    measurement.run("ip", "link", "del", "br0")
    measurement.configure(["link add br0 type bridge", "link set br0 up"])


class Sequence:
    def measure(self, quick):
        count = 100 if quick else 4000
        namespace.standard()
        each = [line for i in range(count) for line in lines(i)]
        ways = {}
        with measurement.server() as environment:
            for way, variables in {"plain": dict(os.environ), "nlsh": environment}.items():
                ways[way] = total(measurement.sequence("popen", each, variables))
                clean(count)
        batch = "".join(f"{command}\n" for i in range(count) for command in commands(i))
        ways["ip -batch"] = total([measurement.elapsed(lambda: measurement.run("ip", "-batch", "-", input=batch))])
        clean(count)
        ways["raw"] = raw(command for i in range(count) for command in commands(i))
        return {
            "title": f"A daemon adds {count} VLANs by popen (macvlan stands in)",
            "ways": ["plain", "nlsh", "ip -batch", "raw"],
            "ratios": [["plain", "nlsh"], ["ip -batch", "nlsh"], ["nlsh", "raw"]],
            "note": "`ip -batch` and *raw*, the same netlink requests one by one, do without the write to /proc/sys.",
            "rows": [{"name": f"{count} devices", "line": lines(10)[0], "native": all(map(measurement.native, lines(10))),
                      "ways": ways}],
        }


def raw(of_ip):
    with tempfile.NamedTemporaryFile("w") as file, namespace.fresh() as before:
        file.write("".join(f"ip {command}\n" for command in of_ip))
        file.flush()
        return measurement.replay([measurement.NLSH, file.name], 1, 1, before)


def total(samples_us):
    return {"median": sum(samples_us), "p99": sum(samples_us), "calls": 1}
