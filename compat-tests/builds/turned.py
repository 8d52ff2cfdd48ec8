#!/usr/bin/env python3
"""Builds of iproute2 with one trait turned: of each that can be played by editing what the real one prints (edited.c), nlsh,
which has asked it, says what it says, natively or by handing the line over.

turned.py EDITED [SHARE]: EDITED is edited.c's program; of the table every SHARE-th row (1). The real one is this machine's."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

NLSH = os.environ["NLSH"]
REAL = {tool: f"/usr/sbin/{tool}" if os.path.exists(f"/usr/sbin/{tool}") else f"/sbin/{tool}" for tool in ("ip", "bridge")}


@dataclass
class Turned:
    trait: str
    edits: list         # the first one's tool is asked
    native: tuple = ()  # lines that nlsh answers as this build does
    left: tuple = ()    # lines that it hands over
    now: str = "yes"    # what the build answers: yes, no, open (it contradicts itself)


def out(pattern, replacement, when="", tool="ip"):
    return tool, f"out\t{when}\t{pattern}\t{replacement}".replace("\n", "\\n")


def says(when, status, text, tool="ip"):
    return tool, f"says\t{when}\t{status}\t{text}"


def in_help(when, word, tool="ip"):
    """The word is in a usage text."""
    return out("^Usage: ", f"Usage: [ {word} ] ", when=f"{when}.*help|help.*{when}", tool=tool)


def unknown(what, word, tool="ip", of="", status=255):
    """What builds say that have no such object or verb."""
    return says(f"(^| ){word}( |$)", status, f'{what} "{word}" is unknown, try "{tool}{of} help".\\n', tool)


ADDED = "gso_ipv4_max_size 65536 gro_ipv4_max_size 65536"
TURNED = [
    Turned("one_blank_before_allmulti", [out("  allmulti", " allmulti")], native=("ip -d link show dev v0", "ip -d -j link show dev v0")),
    Turned("one_blank_before_allmulti", [out("  allmulti", "   allmulti")], left=("ip -d link show dev v0",), now="open"),
    Turned("one_blank_before_allmulti", [out("  allmulti", " allmulti", when="^-d link show dev lo$")], now="yes",
           left=("ip -d link show dev v0", "ip link show")),
    Turned("garbage_without_article", [out("is a garbage", "is garbage")], native=("ip link show dev lo bogus", "ip rule add bogus bogus")),
    Turned("garbage_without_article", [out("is a garbage", "is garbage", tool="bridge")], native=("bridge fdb add 00:00:00:00:00:00 dev lo bogus",)),
    Turned("garbage_without_article", [out("is a garbage", "is rubbish")], left=("ip link show dev lo bogus",), now="open"),
    Turned("on_off_by_table", [out('must be one of "off", "on", not "maybe"', 'must be "on" or "off", not "maybe"')], now="no",
           left=("ip link set dev v0 carrier maybe",)),
    Turned("on_off_in_full", [says(r"carrier o$", 22, r'Error: argument of "carrier" must be one of "off", "on", not "o"\n')],
           native=("ip link set dev v0 carrier o", "ip link set dev v0 carrier off")),
    Turned("nexthop_buckets", [out("bucket", "BUCKET", when="nexthop help"), unknown("Command", "bucket", of=" nexthop")], now="no",
           native=("ip nexthop show",)),
    Turned("vlan_options", [out("global", "GLOBAL", when="vlan help", tool="bridge"), unknown("Command", "global", "bridge", " vlan")], now="no",
           native=("bridge vlan show",)),
    Turned("vni_object", [unknown("Object", "vni", "bridge")], now="no", native=("bridge vlan show", "bridge vni show")),
    Turned("stats_object", [unknown("Object", "stats", status=1)], now="no", native=("ip stats show dev lo group link", "ip link show")),
    Turned("fdb_flush", [out("flush", "FLUSH", when="fdb help", tool="bridge"), unknown("Command", "flush", "bridge", " fdb")], now="no",
           native=("bridge fdb flush dev v1", "bridge fdb show")),
    Turned("any_label", [says("label zz", 1, r'"label" (zz) must match "dev" (lo) or be prefixed by "dev" with a colon.\n')], now="no",
           native=("ip address add 10.9.9.9/32 dev lo label zz", "ip address show dev lo")),
    Turned("mdb_mac_groups", [says("grp 01:", 255, r'Invalid address "01:00:5e:00:00:09"\n', "bridge")], now="no",
           left=("bridge mdb add dev b0 port v1 grp 01:00:5e:00:00:09 permanent",), native=("bridge mdb show",)),
    Turned("words_of_6_1", [out("locked", "LOCKED", when="help", tool="bridge")], left=("bridge link set dev v1 locked on",), now="open",
           native=("bridge fdb show",)),
    Turned("invalid_port", [out("invalid d?port range\n", "invalid port", when="rule")],
           native=("ip rule add sport x", "ip rule show")),
    Turned("vni_named_twice", [out('argument "6" is wrong: duplicate vni', 'duplicate "vni": "6" is the second value.', tool="bridge")],
           native=("bridge vni add vni 5 vni 6 dev lo",)),
    Turned("fdb_flush_reads_all", [says("flush dev lo foo", 255, r'bridge fdb: unknown command "foo"?\n', "bridge")],
           left=("bridge fdb flush dev lo foo",), native=("bridge fdb show",)),
    Turned("rule_port_zero", [out("^(.|\n)*$", "", when="rule show sport 0")], native=("ip rule show sport 0", "ip rule show")),
    Turned("mdb_protocol_without_blank", [out("(proto [a-z]+) \n", r"\1\n", when="-d", tool="bridge")], native=("bridge -d mdb show",)),
    Turned("neighbor_get_json", [out("^([0-9.]+) dev ([a-z0-9]+) lladdr ([0-9a-f:]+) ([A-Z]+) \n",
                                     r'[{"dst":"\1","dev":"\2","lladdr":"\3","state":["\4"]}]\n', when="-j neigh get")],
           native=("ip -j neigh get 10.8.0.9 dev v0", "ip neigh get 10.8.0.9 dev v0")),
    Turned("route_json_closed", [out(r"\[$", r"[]\n", when="-j route show table 7777")], native=("ip -j route show table 7777",)),
    Turned("kinds_refuse_garbage", [says("type dummy bogus", 1, r'Garbage instead of arguments "bogus ...". Try "ip link help".\n')],
           native=("ip link add d9 type dummy bogus",)),
    Turned("netns_pid_opened", [says("netns 999999", 255, r'Error: argument "999999999" is wrong: Invalid "netns" value\n\n')],
           native=("ip link set dev lo netns 999999999",)),
    Turned("option_lacks_value", [says("^-f$", 255, r'Error: argument "family type" is required\n')],
           native=("ip -f",)),
    Turned("bridge_link_master", [says("link show master nope", 255, r'Cannot find device "nope"\n', "bridge")],
           native=("bridge link show master nope", "bridge link show")),
    Turned("netns_set_silent", [out("^Cannot open.*\n", "", when="netns set")], native=("ip netns set nosuch 5",)),
    Turned("link_ipv4_max_sizes", [in_help("link", "gso_ipv4_max_size"),
                                   out("(gro_max_size [0-9]+ )", rf"\1{ADDED} "),
                                   out('"gro_max_size":([0-9]+)', r'"gro_max_size":\1,"gso_ipv4_max_size":65536,"gro_ipv4_max_size":65536'),
                                   out('(\n *)"gro_max_size": ([0-9]+)', r'\1"gro_max_size": \2,\1"gso_ipv4_max_size": 65536,\1"gro_ipv4_max_size": 65536')],
           native=("ip -d link show dev v0", "ip -d -j link show dev v0", "ip -d -j -p link show dev v0")),
    Turned("link_ipv4_max_sizes", [in_help("link", "gso_ipv4_max_size")], left=("ip -d link show dev v0", "ip link show")),
    Turned("address_protocol", [in_help("address", "proto "), out("::1/128 scope host ", "::1/128 scope host proto kernel_lo "),
                                out('"scope":"host",("valid_life_time":[0-9]+,"preferred_life_time":[0-9]+})', r'"scope":"host",\1')],
           left=("ip -j address show dev lo",), now="yes"),
    Turned("fdb_protocol", [in_help("fdb", "proto ", "bridge")], left=("bridge fdb show", "bridge fdb add 02:00:00:00:00:77 dev v0 proto 5"), now="open",
           native=("bridge fdb help 2>&1 | grep -q proto", "bridge vlan show")),
]

BATCH = """link set lo up
link add v0 address 02:00:00:00:00:01 type veth peer name v1 address 02:00:00:00:00:02
link add b0 address 02:00:00:00:00:03 type bridge
link set v1 master b0
link set v0 up
link set v1 up
link set b0 up
address add 10.8.0.1/24 dev v0
neigh add 10.8.0.9 lladdr 02:00:00:00:00:09 dev v0 nud permanent
rule add pref 77 sport 80 table 7
"""
# Without IPv6, whose addresses come when they like.
PREPARE = f"""for file in all default; do echo 1 >/proc/sys/net/ipv6/conf/$file/disable_ipv6; done
{REAL['ip']} -force -batch - <<'E' >/dev/null 2>&1
{BATCH}E
{REAL['bridge']} mdb add dev b0 port v1 grp 239.1.1.1 permanent
for device in v0 v1 b0; do
    until {REAL['ip']} link show dev $device | grep -q 'state UP'; do sleep 0.01; done
done
"""


def run(line, environment):
    """In a fresh network namespace."""
    ended = subprocess.run(["unshare", "-n", "sh", "-c", f"{PREPARE}\nexec \"$@\"", "sh", *line], env=environment, capture_output=True, text=True)
    return ended.returncode, ended.stdout, ended.stderr


class Build:
    """The wrappers in a folder of their own, and an nlsh for which they are the real ones."""

    def __init__(self, folder, edited, turned):
        for tool, real in REAL.items():
            shutil.copy2(edited, folder / tool)
            lines = [edit for of, edit in turned.edits if of == tool]
            (folder / f"{tool}.edits").write_text("\n".join([real, *lines, ""]))
        (folder / "record").mkdir(mode=0o755)
        self.record = folder / "record" / "builds"
        self.environment = os.environ | {
            "NLSH_BUILDS": str(self.record), "NLSH_REAL_IP": str(folder / "ip"), "NLSH_REAL_BRIDGE": str(folder / "bridge"),
            "NLSH_SOCKET": str(folder / "sock"), "PATH": f"{folder}:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"}
        subprocess.run([NLSH, "doctor"], env=self.environment, stdout=subprocess.DEVNULL)

    def answer(self, tool, trait):
        found = re.search(rf"^{tool} .*", self.record.read_text(), re.M)
        parts = dict(part.split("=", 1) for part in found[0].split() if "=" in part) if found else {}
        return next((name for name in ("yes", "no", "open") if trait in parts.get(name, "").split(",")), "none")

    def faults(self, line, native):
        trace = self.record.with_name("trace")
        trace.unlink(missing_ok=True)
        real = run(["sh", "-c", line], self.environment | {"NLSH_DISABLE": "1"})
        ours = run([NLSH, "-q", "-c", line], self.environment | {"NLSH_TRACE": str(trace)})
        was = trace.read_text().split("\t")[1]
        faults = [] if (was == "native") == native else [f"{line}: {was}"]
        return faults + ([] if real == ours else [f"{line}:\n    this build {real}\n    nlsh       {ours}"])


def try_one(edited, turned):
    with tempfile.TemporaryDirectory(prefix="nlsh-turned-") as path:
        os.chmod(path, 0o755)
        build = Build(Path(path), edited, turned)
        tool = turned.edits[0][0]
        answer = build.answer(tool, turned.trait)
        faults = [] if answer == turned.now else [f"asked: {answer}, not {turned.now}\n{build.record.read_text()}"]
        for lines, native in ((turned.native, True), (turned.left, False)):
            faults += [fault for line in lines for fault in build.faults(line, native)]
    return faults


def main():
    edited, share = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    chosen = TURNED[::share]
    started = time.monotonic()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda turned: try_one(edited, turned), chosen))
    for turned, faults in zip(chosen, results):
        for fault in faults:
            print(f"{turned.trait} ({turned.edits[0][1]!r}): {fault}")
    lines = sum(len(turned.native) + len(turned.left) for turned in chosen)
    native = sum(len(turned.native) for turned in chosen)
    print(f"{len(chosen)} builds of {len({turned.trait for turned in chosen})} traits, {native} lines native and {lines - native} handed over, "
          f"{sum(map(bool, results))} builds wrong, {time.monotonic() - started:.0f} s")
    return any(results)


sys.exit(main())
