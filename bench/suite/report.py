"""The report: a table for each topic that has results."""
import json

from .measurement import BENCH
from .topics import TOPICS


def results(quick):
    """Where the numbers go. Those of --quick have a place, and a report, of their own."""
    return BENCH / "results" / "quick" if quick else BENCH / "results"


def time_text(us):
    if us < 1000:
        return f"{us:.1f} µs" if us < 100 else f"{us:.0f} µs"
    return f"{us / 1000:.2f} ms" if us < 100_000 else f"{us / 1_000_000:.2f} s"


def cell(way):
    if way is None:
        return "–"
    text = time_text(way["median"])
    return text if way["calls"] == 1 else f"{text} ({time_text(way['p99'])})"


def ratio(ways, slow, fast):
    if slow not in ways or fast not in ways:
        return "–"
    value = ways[slow]["median"] / ways[fast]["median"]
    return f"**{value:.1f}**" if value < 100 else f"**{value:.0f}**"


def line_of(row, topic):
    mark = "" if row.get("native", True) else " (handed over)"
    cells = [row["name"] + mark] + [cell(row["ways"].get(way)) for way in topic["ways"]]
    cells += [ratio(row["ways"], *pair) for pair in topic["ratios"]]
    if "above" in topic:
        ways, (ours, raw) = row["ways"], topic["above"]
        cells.append(f"{ways[ours]['median'] - ways[raw]['median']:.1f} µs")
    return cells


def table(topic):
    header = [""] + topic["ways"] + [f"{slow} : {fast}" for slow, fast in topic["ratios"]]
    if "above" in topic:
        header.append("{} − {}".format(*topic["above"]))
    lines = [header, ["---"] + ["--:"] * (len(header) - 1)] + [line_of(row, topic) for row in topic["rows"]]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def section(path):
    with open(path, encoding="utf-8") as file:
        topic = json.load(file)
    measured = "\n".join(f"* {row['name']}: `{row['line']}`" for row in topic["rows"])
    note = f"\n\n{topic['note']}" if "note" in topic else ""
    return f"## {topic['title']}\n{table(topic)}{note}\n\n{measured}\n"


def write(facts, load_after, quick):
    facts = {**facts, "load average after": load_after}
    text = "# nlsh: measurements" + (" (--quick: few calls, small tables)" if quick else "") + "\n\n"
    text += "".join(f"* {name}: {value}\n" for name, value in facts.items())
    text += ("\nMedian (p99). *plain* is libc's popen or system, *real* the installed iproute2, *raw* the command's own "
             "netlink requests sent and answered, without anything else; all of a table in one run.\n\n")
    paths = [results(quick) / f"{name}.json" for name in TOPICS]
    text += "\n".join(section(path) for path in paths if path.exists())
    (results(quick) / "report.md" if quick else BENCH / "report.md").write_text(text, encoding="utf-8")
    return text
