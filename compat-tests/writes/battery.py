#!/usr/bin/env python3
"""Runs each line with each sink by each way into nlsh, and by the real shell and tools; compares status, texts and lo's mtu.

battery.py BUILD FOLDER WAY ...; prints the differences, and the number of comparisons. WRITES_EVERY=N: every Nth case."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from nlsh_test import trace
from nlsh_test.server import Server

WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.py")

SINKS = [
    "file",
    "terminal",
    "full",
    "read-only",
    "reader-gone",
    "reader-gone-ignored",
    "reader-gone-blocked",
    "peer-gone",
    "full-pipe",
    "full-disk",
    "size-limit",
    "closed",
]
SET = "ip link set lo mtu 1301"
PRINTERS = [
    "echo start",
    "printf 'a\\n'",
    "/bin/echo start",
    "ip link show lo",
    "bridge link show lo",
    "(echo start)",
    "{ echo start; }",
    "sysctl net.ipv4.ip_forward",
    "echo start >&2",
    "ip link show nosuch",
    *(
        f"ip link show lo | {filter_}"
        for filter_ in (
            "grep mtu",
            "sed s/lo/xx/",
            "awk '{print $1}'",
            "sort",
            "uniq",
            "cut -c1-5",
            "head -1",
            "tail -1",
            "wc -l",
            "tr a b",
            "cat",
        )
    ),
]
# Each of them with every printer, and with the plain printers.
JOINS = ["{0} && {1}", "{0} || {1}", "{0}; {1}"]
MORE_JOINS = [
    "! {0} && {1}",
    "if {0}; then {1}; fi",
    "if {0}; then :; else {1}; fi",
    "{1} && {0}",
    "{1}; {0}; exit 3",
    "{0}",
    "{0}; {0}",
    "{0} && {0} || {1}",
]
LINES = [join.format(printer, SET) for printer in PRINTERS for join in JOINS]
LINES += [join.format(printer, SET) for printer in ("echo start", "ip link show lo", "ip link show lo | grep mtu") for join in MORE_JOINS]
WAYS = {
    "system": ("system", {"LD_PRELOAD": "preload", "NLSH_SOCKET": "socket"}),
    "popen": ("popen", {"LD_PRELOAD": "preload", "NLSH_SOCKET": "socket"}),
    "inproc-system": ("system", {"LD_PRELOAD": "preload", "NLSH_ENGINE": "inproc"}),
    "inproc-popen": ("popen", {"LD_PRELOAD": "preload", "NLSH_ENGINE": "inproc"}),
    "nlsh-c": ("nlsh", {}),
    "shim": ("system", {"PATH": "shim"}),
}
REAL = {"popen": "popen", "inproc-popen": "popen", "nlsh-c": "/bin/sh"}


def cases(way):
    """Skips cases in which a SIGPIPE stays pending in the shell: the real ip then dies before or after its change, at random."""
    chosen = [case for case in all_cases(way) if case[1] != "reader-gone-blocked" or case[0].startswith("ip link show lo")]
    each = int(os.environ.get("WRITES_EVERY", "1"))
    return [case for number, case in enumerate(chosen) if number % each == 0 or "route show" in case[0]]


def all_cases(way):
    """Yields (line, sink, streams)."""
    if way.endswith("popen"):
        # The program itself reads stdout, so stdout works unless the program closes it early; stderr is the caller's.
        show = "ip route show table all"
        early = [
            f"{show} && {SET}",
            f"{show}; {SET}",
            f"{show} || {SET}",
            f"{show} | grep dev && {SET}",
            show,
            f"{SET} && {show}",
            f"{show} && echo done",
        ]
        if way == "inproc-popen":  # popen has the status before the reader closes the stream: packaging/docs/limits.md
            early = [line for line in early if not line.endswith(show)]
        yield from ((line, "file", "err") for line in early)
        yield from ((line, sink, "err") for line in LINES[::5] for sink in SINKS)
        return
    for line in LINES:
        for sink in SINKS:
            yield line, sink, "out"
    for line in LINES[::4]:
        for sink in SINKS:
            yield line, sink, "both"
            yield line, sink, "err"


def make_full_disk(place):
    os.makedirs(place, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4096", "none", place], check=True)
    open(f"{place}/out", "w").close()
    with open(f"{place}/full", "wb") as file:
        file.write(bytes(4096))


def environment(variables, build, folder):
    places = {
        "preload": f"{build}/libnlsh-preload.so",
        "socket": f"{folder}/sock",
        "shim": f"{folder}/shim:{os.environ['PATH']}",
        "inproc": "inproc",
    }
    return os.environ | {name: places[value] for name, value in variables.items()} | {"NLSH_TRACE": f"{folder}/trace"}


def start(chosen, program, variables, folder):
    with open(f"{folder}/lines", "w") as file:
        file.writelines("\t".join(case) + "\n" for case in chosen)
    return subprocess.Popen([sys.executable, WORKER, program, folder, f"{folder}/lines"], env=variables, stdout=subprocess.PIPE, text=True)


def results(process):
    lines = [json.loads(line) for line in process.stdout]
    if process.wait() != 0:
        sys.exit("a worker failed")
    return lines


def compare_cases(way, chosen, build, folder, traced):
    """How many cases differ. Cases with a limit on the size of files run without a trace, which the limit would cut."""
    program, variables = WAYS[way]
    if program == "nlsh":
        program = f"{build}/nlsh"
    ours = environment(variables, build, folder)
    if not traced:
        del ours["NLSH_TRACE"]
    processes = [
        start(chosen, REAL.get(way, "system"), dict(os.environ), f"{folder}/{way}-real"),
        start(chosen, program, ours, f"{folder}/{way}"),
    ]
    different = 0
    for case, expected, got in zip(chosen, *map(results, processes), strict=True):
        if expected != got:
            different += 1
            print(f"{way}: {case}\n  real {expected}\n  nlsh {got}")
    return different


def compare(way, build, folder):
    chosen = cases(way)
    limited = [case for case in chosen if case[1] == "size-limit"]
    others = [case for case in chosen if case[1] != "size-limit"]
    open(f"{folder}/trace", "w").close()
    different = compare_cases(way, others, build, folder, True)
    if limited:
        different += compare_cases(way, limited, build, folder, False)
    native = trace.natives(f"{folder}/trace")
    print(f"{way}: {len(chosen)} compared, {different} different, {native} native")
    return different == 0 and native > len(chosen) // 10


def main():
    build, folder, *ways = sys.argv[1:]
    os.makedirs(f"{folder}/shim", exist_ok=True)
    for tool in ("ip", "bridge"):
        if not os.path.lexists(f"{folder}/shim/{tool}"):
            os.symlink(f"{build}/nlsh", f"{folder}/shim/{tool}")
    for way in ways:
        make_full_disk(f"{folder}/{way}/disk")
        make_full_disk(f"{folder}/{way}-real/disk")
    with Server(f"{folder}/sock", "--log", "off", program=f"{build}/nlsh"):
        good = [compare(way, build, folder) for way in ways]
    sys.exit(0 if all(good) else 1)


# Unshare the mounts before the server starts: it serves only callers with the same mounts.
if "WRITES_INSIDE" not in os.environ:
    os.environ["WRITES_INSIDE"] = "1"
    os.execvp("unshare", ["unshare", "-m", *sys.argv])
main()
