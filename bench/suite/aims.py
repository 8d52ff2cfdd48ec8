"""Compares the aims of issues 5, 19 and 33 with the results. If an aim isn't reached, its floor says why."""

import dataclasses
from collections.abc import Callable

CHANGES = ("link set mtu", "fdb replace", "route replace", "neigh replace")
ROUTES = ("200000 routes", "1000000 routes")


def ratio(slow, fast):
    return lambda ways: ways[slow]["median"] / ways[fast]["median"]


def above(ours, raw, figure="median"):
    return lambda ways: ways[ours][figure] - ways[raw][figure]


UNPINNED = ratio("plain, unpinned", "nlsh, unpinned")
PLACES = (
    "this machine",
    "another network namespace",
    "another user, NET_ADMIN ambient",
    "SONiC's container",
    "Debian 13, iproute2 6.15",
)


def in_places(*lines):
    return tuple(f"{place}: {line}" for place in PLACES for line in lines)


def figure(way):
    return lambda ways: float(ways[way])


@dataclasses.dataclass(frozen=True)
class Aim:
    text: str
    topic: str
    value: Callable[[dict], float]
    bound: float
    at_least: bool
    rows: tuple[str, ...] = ()  # empty: all rows with a value
    unit: str = ""
    floor: str = ""


def at_least(bound, *arguments, **options):
    return Aim(*arguments, bound=bound, at_least=True, **options)


def at_most(bound, *arguments, **options):
    return Aim(*arguments, bound=bound, at_least=False, **options)


TURNS = "two context switches, and the checks of the caller's identity, namespace and rights"
POPEN = "a pipe and a stream, which each popen needs (6 µs)"
IN_PROCESS = "the checks of the caller's rights, namespace and files"
PROCESS = "an empty static process takes 0.30 to 0.54 of the real `ip`'s time"
FAULTS = "nlsh's start has 42 page faults, the empty program's 26 (`perf stat -e page-faults`)"
ANEW = (
    "after another command, the builtin looks at the program's file and its own rights "
    "([033](../packaging/docs/decisions/033-stamps-in-scripts.md))"
)
FORK = "the program's own work and its fork (column *floor*), and the checks of a new process"
ANSWERS = "each request waits for the answer before; the bare requests aren't three times faster either"
TOGETHER = "reading a line takes longer than the kernel's work; a change of MTU is the kernel's own time; `neigh` lines go one by one"
COLD = "each call finds the caches cold, because the kernel needs 60 µs for a device"
ALONE = "the kernel is cold, too: `results/gaps.json`, *raw, of the warm*"
LINES = "as for `-batch`; each line is read by the shell's grammar, and no name may be cached from one `ip` to the next"
CHAIN = "the chain: each of its commands takes 1.2 µs to build, send and check, beside the kernel's work"
TURN = "the kernel's choice among a processor's clients; a bare echo: `results/clients.json`, *echo, fewest : most*"
PRINTING = "printing a route takes 0.3 µs, longer than the kernel takes to dump it"

CHECKS = "the checks' [system calls](../packaging/docs/system-calls.md): `results/limits.json`, *with checks*"
RIGHTS = "six more system calls, which compare capabilities and group ids with an exec's"
FLOOR = "the program's own work, fork, exit and wake-ups: `results/ways.json`, *floor, unpinned*"
LOADING = "the linker relocates 196 KiB, maps the file and looks up libc's functions"
ONE_BY_ONE = "each line is parsed (1 to 2 µs) while the kernel waits"
NEIGHBOURS = "`neigh` lines go one by one, because a `neigh` that fails ends the batch"

AIMS = (
    at_most(1.3, "in-process popen : its limit", "limits", ratio("in-process popen", "limit in process"), floor=CHECKS),
    at_most(1.5, "popen by the server : its limit", "limits", ratio("nlsh popen", "limit by a server"), floor=CHECKS),
    at_most(1.3, "the same in process, limit with checks", "limits", ratio("in-process popen", "with checks, in process"), floor=CHAIN),
    at_most(1.5, "the same by the server, limit with checks", "limits", ratio("nlsh popen", "with checks, by a server"), floor=CHAIN),
    at_most(
        2,
        "a set by the server: now − 2e6c17d",
        "previous",
        above("server, now", "server, before"),
        rows=("link set mtu",),
        unit=" µs",
        floor=RIGHTS,
    ),
    at_most(
        2,
        "a set in process: now − 2e6c17d",
        "previous",
        above("in process, now", "in process, before"),
        rows=("link set mtu",),
        unit=" µs",
        floor=RIGHTS,
    ),
    at_least(10, "dash, unpinned", "ways", UNPINNED, rows=("sh (dash) script",), floor=FLOOR),
    at_least(
        6,
        "Python's subprocess, unpinned, also with a PATH of ten",
        "ways",
        UNPINNED,
        rows=("Python subprocess", "Python subprocess, PATH of ten"),
        floor=FLOOR,
    ),
    at_least(3.5, "bash, unpinned", "ways", UNPINNED, rows=("bash script",), floor=FLOOR),
    at_least(10, "posix_spawn, unpinned", "ways", UNPINNED, rows=("posix_spawn",), floor=FLOOR),
    at_most(500, "loading the engine", "load", figure("engine − preload, µs"), unit=" µs", floor=LOADING),
    at_most(256, "memory of the engine, of the program's own", "load", figure("KiB, loaded"), unit=" KiB"),
    at_least(2, "a line, plain : `nlsh -c`", "places", ratio("plain", "no server"), rows=in_places("a set", "a show"), floor=PROCESS),
    at_least(
        8,
        "a chain of six, plain : `nlsh -c`",
        "places",
        ratio("plain", "no server"),
        rows=in_places("a chain of six"),
        floor=PROCESS,
    ),
    *(
        at_most(
            bound,
            f"{text}, in process, above raw",
            "calls-10",
            above("in-process system", "raw"),
            rows=(row,),
            unit=" µs",
            floor=IN_PROCESS,
        )
        for bound, text, row in ((15, "a show of one link", "link show"), (16, "a filtered show of addresses", "addr show, filtered"))
    ),
    at_most(
        1.15,
        "large shows, nlsh : raw",
        "shows",
        ratio("nlsh popen", "raw"),
        floor="a dump of less than 20 ms doesn't overlap with printing; fdb also asks for 4,000 names by ioctl (0.7 µs each; RTM_GETLINK, 200 in one message: 5 µs each)",
    ),
    at_least(
        3,
        "`ip -batch` : `nlsh ip -force`",
        "batch",
        ratio("ip -batch", "nlsh ip -force"),
        floor=TOGETHER,
    ),
    at_most(1.3, "`nlsh ip -batch` : raw, one by one", "batch", ratio("nlsh ip -batch", "raw"), floor=ONE_BY_ONE),
    at_most(20, "system() above raw", "calls-10", above("nlsh system", "raw"), rows=CHANGES, unit=" µs", floor=TURNS),
    at_most(60, "system() above raw, p99", "calls-10", above("nlsh system", "raw", "p99"), rows=CHANGES, unit=" µs"),
    at_most(20, "popen() above raw", "calls-10", above("nlsh popen", "raw"), rows=CHANGES, unit=" µs", floor=POPEN),
    at_least(60, "plain system : nlsh system", "calls-10", ratio("plain system", "nlsh system"), rows=CHANGES),
    at_least(60, "plain popen : nlsh popen", "calls-10", ratio("plain popen", "nlsh popen"), rows=CHANGES),
    at_most(8, "system() in process, above raw", "calls-10", above("in-process system", "raw"), rows=CHANGES, unit=" µs", floor=IN_PROCESS),
    at_least(200, "plain popen : in-process system", "calls-10", ratio("plain popen", "in-process system"), rows=CHANGES, floor=IN_PROCESS),
    at_most(
        2,
        "a caller in another network namespace: above one in the server's own",
        "namespaces",
        above("nlsh system, another", "nlsh system, own"),
        unit=" µs",
    ),
    at_most(200, "a lone system() by the server, % of a warm one", "gaps", figure("nlsh system, of the warm, %"), floor=ALONE),
    at_most(200, "a lone system() in process, % of a warm one", "gaps", figure("in-process system, of the warm, %"), floor=ALONE),
    at_most(1.15, "`nlsh -c :` : an empty static program", "processes", ratio("nlsh -c", "empty program"), floor=FAULTS),
    at_least(2.5, "real `ip` : shim", "processes", ratio("real", "shim"), rows=(*CHANGES, "link show"), floor=PROCESS),
    at_least(10, "a script of dash", "ways", ratio("plain", "nlsh"), rows=("sh (dash) script",), floor=FORK),
    at_least(3, "a script of bash", "ways", ratio("plain", "nlsh"), rows=("bash script",), floor=FORK),
    at_least(60, "a script of bash, by its builtin", "ways", ratio("plain", "nlsh"), rows=("bash script, builtin",), floor=ANEW),
    at_least(
        6,
        "Python's subprocess, posix_spawn",
        "ways",
        ratio("plain", "nlsh"),
        rows=("Python subprocess", "posix_spawn"),
        floor=FORK,
    ),
    at_least(
        1.5,
        "`ip netns exec`",
        "ways",
        ratio("plain", "nlsh"),
        rows=("posix_spawn, ip netns exec",),
        floor="mount namespaces: the kernel's own time",
    ),
    at_least(3, "`ip -batch` : `nlsh ip -batch`", "batch", ratio("ip -batch", "nlsh ip -batch"), floor=ANSWERS),
    at_least(3, "`ip -batch` : `nlsh FILE`", "batch", ratio("ip -batch", "nlsh FILE"), floor=LINES),
    at_most(
        1.2,
        "`nlsh ip -force` : raw, 64 at once",
        "batch",
        ratio("nlsh ip -force", "raw, 64 at once"),
        floor=NEIGHBOURS,
    ),
    at_most(1.2, "4000 interfaces : 10", "growth", ratio("nlsh system, 4000", "nlsh system, 10")),
    at_most(1.3, "4000 devices: nlsh : raw", "sequence", ratio("nlsh", "raw"), floor=COLD),
    at_most(1.3, "4000 devices, in process : raw", "sequence", ratio("in-process", "raw"), floor=COLD),
    at_least(80, "64 clients: calls, % of one client's", "clients", figure("of one client, %"), rows=("64 clients",)),
    at_least(
        80,
        "64 clients: calls of who gets fewest, % of who gets most",
        "clients",
        figure("fewest : most, %"),
        rows=("64 clients",),
        floor=TURN,
    ),
    at_least(3, "200,000 and 1,000,000 routes: plain popen : nlsh", "shows", ratio("plain popen", "nlsh popen"), rows=ROUTES),
    at_most(1.6, "200,000 and 1,000,000 routes: nlsh : the bare dump", "shows", ratio("nlsh popen", "raw"), rows=ROUTES, floor=PRINTING),
    at_least(
        4,
        "4000 links, 16,000 addresses: plain popen : nlsh",
        "shows",
        ratio("plain popen", "nlsh popen"),
        rows=("4000 links, 16000 addresses",),
    ),
    at_least(1.7, "4000 links: plain popen : nlsh", "shows", ratio("plain popen", "nlsh popen"), rows=("4000 links, details",)),
    at_least(1.3, "20,000 fdb entries: plain popen : nlsh", "shows", ratio("plain popen", "nlsh popen"), rows=("20000 fdb entries",)),
)


def values(aim, topic):
    if not topic.get("compares", True):
        return
    for row in topic["rows"]:
        if aim.rows and row["name"] not in aim.rows:
            continue
        try:
            yield aim.value(row["ways"])
        except KeyError:  # this row lacks the way
            continue


def shown(value):
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def bound(aim):
    return f"{'≥' if aim.at_least else '≤'} {aim.bound:g}{aim.unit}"


def verdict(aim, topic):
    """The measured text, the number of values, and how many reach the aim."""
    found = sorted(values(aim, topic))
    reached = sum(value >= aim.bound if aim.at_least else value <= aim.bound for value in found)
    return " to ".join(dict.fromkeys(map(shown, found[:1] + found[-1:]))) + aim.unit, len(found), reached


def table(topics):
    """The missed aims with reasons, then the reached aims whose numbers no table shows. topics: results by name."""
    reasons, missed = {}, []
    for aim in AIMS:
        span, count, reached = verdict(aim, topics[aim.topic]) if aim.topic in topics else ("", 0, 0)
        if reached < count:
            reason = f" [{reasons.setdefault(aim.floor, len(reasons) + 1)}]" if aim.floor else ""
            missed.append(f"| {aim.text} {bound(aim)} | {span}{reason} |")
    return "\n".join(
        [
            *("| aim, not reached in all rows (without a ratio: plain : nlsh) | measured [reason] |", "|---|--:|", *missed, ""),
            *(f"* [{number}] {reason}" for reason, number in reasons.items()),
        ]
    )
