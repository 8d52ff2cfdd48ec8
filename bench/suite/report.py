"""The report: a table for each topic that has results, of this run or of an earlier one."""

import collections
import json
import re

from . import aims, plots, views
from .lines import LINES
from .measurement import BENCH
from .topics import TOPICS


def results(quick):
    """The folder of the numbers. --quick has its own folder and report."""
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
    first, *others = (f"| {' | '.join(cells)} |" for cells in (header, *(line_of(row, view) for row in rows)))
    return "\n".join([first, "|---|" + "--:|" * (len(header) - 1), *others])


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def only_line(rows):
    """The line that all rows run, unless the head links to the line. The results have each row's line."""
    lines = {row.get("line", "") for row in rows if LINES.get(row["name"]) != row.get("line")}
    line = lines.pop() if len(lines) == 1 else ""
    return f"Runs `{line}`." if line else ""


def plot(name, topic, folder):
    drawings = folder / "plots"
    drawings.mkdir(exist_ok=True)
    plots.draw(topic, drawings / f"{name}.svg")


def section(name, topic, folder, quick, usual):
    """usual: the date of most topics, which the head states."""
    plot(name, topic, folder)
    measured = "" if topic["measured"] == usual else f"Measured {topic['measured']}."
    note = " ".join(filter(None, (topic.get("note", ""), measured, only_line(topic["rows"]))))
    return f"## {topic['title']}\n{table(name, topic, quick)}\n\n{note}".rstrip() + "\n"


def linked(topics, folder):
    """Links to the topics that have no table here."""
    for name, topic in topics.items():
        plot(name, topic, folder)
    links = (f"[{topic['title']}](results/{name}.json)" for name, topic in topics.items())
    return "\n## Also measured\n" + "; ".join(links) + ".\n"


def write(described, load_after, quick):
    described = {**described, "load average after": load_after}
    text = "# nlsh: measurements" + (" (--quick: few calls, small tables)" if quick else "") + "\n\n"
    paths = {name: results(quick) / f"{name}.json" for name in TOPICS}
    topics = {name: read(path) for name, path in paths.items() if path.exists()}
    usual = collections.Counter(topic["measured"] for topic in topics.values()).most_common(1)[0][0] if topics else ""
    text += (
        "Written by `bench/run`. Times are medians; `results/*.json` has all rows, their lines and 99th percentiles, `plots/` a drawing of each "
        "topic, [lines.py](suite/lines.py) the lines that several tables name. *plain* is libc's popen or system with the installed iproute2, "
        "*real* that `ip` as a process. *raw* is the bare netlink requests, the limit. *in-process* is `NLSH_ENGINE=inproc`.\n\n"
    )
    text += (
        "".join(f"* {name}: {value}\n" for name, value in {"measured, unless a topic says otherwise": usual, **described}.items()) + "\n"
    )
    folder = results(quick) if quick else BENCH
    if not quick:
        text += f"## Aims\n{aims.table(topics)}\n\n"
    aside = {} if quick else {name: topic for name, topic in topics.items() if name in views.LINKED}
    text += "\n".join(section(name, topic, folder, quick, usual) for name, topic in topics.items() if name not in aside)
    text += linked(aside, folder) if aside else ""
    (folder / "report.md").write_text(text, encoding="utf-8")
    return text
