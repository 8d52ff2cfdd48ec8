"""The report: a table for each topic that has results, of this run or of an earlier one."""

import collections
import json
import re

from . import aims, plots, views
from .lines import LINES
from .measurement import BENCH
from .topics import TOPICS


def results(quick):
    """Where the numbers go. Those of --quick have a place, and a report, of their own."""
    return BENCH / "results" / "quick" if quick else BENCH / "results"


def time_text(us):
    if us < 1000:
        return f"{us:.1f} µs" if us < 100 else f"{us:.0f} µs"
    return f"{us / 1000:.2f} ms" if us < 100_000 else f"{us / 1_000_000:.2f} s"


def cell(ways, name):
    if name.endswith(views.P99) and name not in ways:
        return time_text(ways[name.removesuffix(views.P99)]["p99"])
    way = ways.get(name)
    if way is None:
        return "–"
    if isinstance(way, (int, float)):
        return f"{way:,.0f}"
    return f"**{way['ratio']:.2f}**" if "ratio" in way else time_text(way["median"])


def ratio(ways, slow, fast):
    if slow not in ways or fast not in ways:
        return "–"
    value = ways[slow]["median"] / ways[fast]["median"]
    if value < 2:
        return f"**{value:.2f}**"
    return f"**{value:.1f}**" if value < 100 else f"**{value:.0f}**"


def line_of(row, view):
    mark = "" if row.get("native", True) else " (fallback)"
    cells = [row["name"] + mark] + [cell(row["ways"], way) for way in view.ways]
    cells += [ratio(row["ways"], *pair) for pair in view.ratios]
    return cells + [f"{row['ways'][ours]['median'] - row['ways'][raw]['median']:.1f} µs" for ours, raw in view.above]


def table(name, topic, quick):
    view = views.shown(name, topic)
    rows = topic["rows"] if quick else [row for row in topic["rows"] if re.search(view.rows, row["name"])]
    header = ["", *view.ways, *(f"{slow} : {fast}" for slow, fast in view.ratios), *(f"{ours} − {raw}" for ours, raw in view.above)]
    lines = [header, ["---"] + ["--:"] * (len(header) - 1)] + [line_of(row, view) for row in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def measured_lines(rows):
    """What the rows run, if their names don't say it: the line of most of them, then the others', each once."""
    lines = collections.Counter(row["line"] for row in rows if "line" in row and LINES.get(row["name"]) != row["line"])
    if not lines:
        return ""
    usual, count = lines.most_common(1)[0]
    first = {row["line"]: row["name"] for row in reversed(rows) if "line" in row}
    text = f"Runs `{usual}`.\n" if count > 1 or len(lines) == len(rows) == 1 else ""
    return text + "".join(f"* {first[line]}: `{line}`\n" for line in lines if not text or line != usual) + "\n"


def plot(name, topic, folder):
    """A link to it, or nothing."""
    drawing = folder / "plots" / f"{name}.svg"
    drawing.parent.mkdir(exist_ok=True)
    return f"[plot](plots/{drawing.name})" if plots.draw(topic, drawing) else ""


def section(name, topic, folder, quick):
    note = " ".join(text for text in (topic.get("note", ""), f"Measured {topic['measured']}.") if text)
    return (
        f"## {topic['title']}\n{table(name, topic, quick)}\n\n{note}\n\n{measured_lines(topic['rows'])}{plot(name, topic, folder)}".rstrip()
        + "\n"
    )


def linked(topics, folder):
    """The topics that have no table here."""
    for name, topic in topics.items():
        plot(name, topic, folder)
    links = (f"[{topic['title']}](results/{name}.json)" for name, topic in topics.items())
    return "\n## Also measured\nPlots are in `bench/plots`.\n\n" + "; ".join(links) + ".\n"


def write(described, load_after, quick):
    described = {**described, "load average after": load_after}
    text = "# nlsh: measurements" + (" (--quick: few calls, small tables)" if quick else "") + "\n\n"
    text += (
        "Written by `bench/run`. Times are medians; `bench/results` has all rows and 99th percentiles. *plain* is libc's popen or system with the "
        "installed iproute2, *real* that `ip` as a process. *raw* is the bare netlink requests, the limit. *in-process* is `NLSH_ENGINE=inproc`.\n\n"
    )
    text += "".join(f"* {name}: {value}\n" for name, value in described.items())
    paths = {name: results(quick) / f"{name}.json" for name in TOPICS}
    topics = {name: read(path) for name, path in paths.items() if path.exists()}
    folder = results(quick) if quick else BENCH
    text += "\nLines that several tables name:\n\n" + "".join(f"* {name}: `{line}`\n" for name, line in LINES.items()) + "\n"
    if not quick:
        text += f"## Aims\n{aims.table(topics)}\n\n"
    aside = {} if quick else {name: topic for name, topic in topics.items() if name in views.LINKED}
    text += "\n".join(section(name, topic, folder, quick) for name, topic in topics.items() if name not in aside)
    text += linked(aside, folder) if aside else ""
    (folder / "report.md").write_text(text, encoding="utf-8")
    return text
