"""The columns and rows of each topic in the report; results/TOPIC.json has the rest. Without a view, the report shows the whole topic."""

import dataclasses

P99 = ", p99"  # suffix of a way: the 99th percentile instead of the median


@dataclasses.dataclass(frozen=True)
class View:
    ways: tuple[str, ...]
    ratios: tuple[tuple[str, str], ...] = ()
    above: tuple[tuple[str, str], ...] = ()
    rows: str = ""  # a pattern for the rows in the published report


POPEN = ("plain popen", "nlsh popen")
CALLS = View(("plain popen", "nlsh popen", "nlsh popen, p99", "in-process popen", "nlsh system", "in-process system", "raw"), (POPEN,))
SEQUENCE = View(("plain", "nlsh", "in-process", "ip -batch", "nlsh -force", "raw"), (("plain", "nlsh"), ("nlsh", "raw")))
CHECKS = (("in-process popen", "with checks, in process"), ("nlsh popen", "with checks, by a server"))


# Topics for single decisions: the report only links to their numbers.
LINKED = (
    "limits",
    "stages",
    "previous",
    "load",
    "processes",
    "batch",
    "namespaces",
    "growth",
    "contended",
    "ports",
    "libraries",
    "transports",
    "echo",
    "senders",
    "vlans-4000",
    "gaps",
    "clients",
)

VIEWS = {
    "calls-10": CALLS,
    "calls-1000": View((*POPEN, "raw"), (POPEN,), rows="chain|fdb|neigh"),  # the other rows equal those with 10 links
    "limits": View(("in-process popen", "limit in process", CHECKS[0][1], "nlsh popen", "limit by a server", CHECKS[1][1]), CHECKS),
    "places": View(("plain", "server", "in process", "no server"), (("plain", "server"),), rows=": (a set|first call)$"),
    "vlan-ports": View(("plain popen", "nlsh popen", "in-process popen", "raw"), (POPEN,), rows="^(16|256|2048) "),
    "gaps": View(
        ("nlsh system", "in-process system", "raw", *(f"{way}, of the warm, %" for way in ("nlsh system", "in-process system", "raw"))),
        rows="ms$",
    ),
    "clients": View(("calls a second", "fewest : most, %", "p99, µs", "longest, µs")),
    "ways": View(
        ("plain", "nlsh", "floor"),
        (("plain", "nlsh"), ("plain, unpinned", "nlsh, unpinned")),
        rows="script|^Python subprocess$|make|spawn|Lua",  # exec.md has the other languages
    ),
    "batch": View(
        ("plain sh FILE", "nlsh FILE", "ip -batch", "nlsh ip -batch", "nlsh ip -force", "raw", "raw, 64 at once"),
        (("plain sh FILE", "nlsh FILE"), ("ip -batch", "nlsh ip -batch"), ("ip -batch", "nlsh ip -force")),
    ),
    "shows": View(("plain popen", "nlsh popen", "raw"), (POPEN, ("nlsh popen", "raw"))),
    "scale": View(
        ("calls a second", "p99, µs", "nlsh system", "show", "server, KiB"),
        (("nlsh system", "raw"),),
        rows="^(1|64|256) clients$|^(10|10,000) links|^(1,000|1,000,000) routes",
    ),
    "sequence": SEQUENCE,
    "vlans": SEQUENCE,
    "vlans-4000": SEQUENCE,
}


def shown(name, topic):
    """The view of these results, without columns that no row has."""
    view = VIEWS.get(name) or View(tuple(topic["ways"]), tuple(map(tuple, topic["ratios"])), tuple(map(tuple, topic.get("above", ()))))
    there = {way for row in topic["rows"] for way in row["ways"]}
    ways = tuple(way for way in view.ways if way.removesuffix(P99) in there)
    return dataclasses.replace(view, ways=ways, ratios=tuple(pair for pair in view.ratios if set(pair) <= there))
