"""The report: a table for each topic that has results."""

import json

from . import aims, plots
from .measurement import BENCH
from .topics import TOPICS

AIMS = "What was aimed at"
EARLIER = "*Of an earlier run.*"


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
    if isinstance(way, (int, float)):
        return f"{way:,.0f}"
    if "ratio" in way:
        return f"**{way['ratio']:.2f}**"
    text = time_text(way["median"])
    return text if way["calls"] == 1 else f"{text} ({time_text(way['p99'])})"


def ratio(ways, slow, fast):
    if slow not in ways or fast not in ways:
        return "–"
    value = ways[slow]["median"] / ways[fast]["median"]
    if value < 2:
        return f"**{value:.2f}**"
    return f"**{value:.1f}**" if value < 100 else f"**{value:.0f}**"


def line_of(row, topic):
    mark = "" if row.get("native", True) else " (fallback)"
    cells = [row["name"] + mark] + [cell(row["ways"].get(way)) for way in topic["ways"]]
    cells += [ratio(row["ways"], *pair) for pair in topic["ratios"]]
    for ours, raw in topic.get("above", []):
        cells.append(f"{row['ways'][ours]['median'] - row['ways'][raw]['median']:.1f} µs")
    return cells


def table(topic):
    header = [""] + topic["ways"] + [f"{slow} : {fast}" for slow, fast in topic["ratios"]]
    header += [f"{ours} − {raw}" for ours, raw in topic.get("above", [])]
    lines = [header, ["---"] + ["--:"] * (len(header) - 1)] + [line_of(row, topic) for row in topic["rows"]]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def section(name, topic, folder):
    drawing = folder / "plots" / f"{name}.svg"
    drawing.parent.mkdir(exist_ok=True)
    plot = f"\n\n![{topic['title']}](plots/{drawing.name})" if plots.draw(topic, drawing) else ""
    measured = "\n".join(f"* {row['name']}: `{row['line']}`" for row in topic["rows"] if "line" in row)
    note = f"\n\n{topic['note']}" if "note" in topic else ""
    return f"## {topic['title']}\n{table(topic)}{note}\n\n{measured}{plot}\n"


def earlier_sections(path):
    """What the report has, {title: text}, each without its mark."""
    if not path.exists():
        return {}
    parts = path.read_text(encoding="utf-8").split("\n## ")[1:]
    return {part.split("\n", 1)[0]: part.split("\n", 1)[1].strip().removeprefix(EARLIER).strip() for part in parts}


def sections(topics, folder, earlier):
    """In the topics' order, then what only an earlier run has measured."""
    for name, topic in topics.items():
        yield section(name, topic, folder)
    titles = {AIMS, *(topic["title"] for topic in topics.values())}
    for title, text in earlier.items():
        if title not in titles:
            yield f"## {title}\n{EARLIER}\n\n{text}\n"


def write(described, load_after, quick):
    described = {**described, "load average after": load_after}
    text = "# nlsh: measurements" + (" (--quick: few calls, small tables)" if quick else "") + "\n\n"
    text += "".join(f"* {name}: {value}\n" for name, value in described.items())
    text += (
        "\nMedian (p99). *plain* is libc's popen or system, *real* the installed iproute2, *raw* the command's own "
        "netlink requests sent and answered, without anything else; all of a table in one run.\n\n"
    )
    paths = {name: results(quick) / f"{name}.json" for name in TOPICS}
    topics = {name: read(path) for name, path in paths.items() if path.exists()}
    folder = results(quick) if quick else BENCH
    earlier = {} if quick else earlier_sections(folder / "report.md")
    if not quick:
        text += f"## {AIMS}\n{aims.table(topics, earlier.get(AIMS, ''))}\n\n"
    text += "\n".join(sections(topics, folder, earlier))
    (folder / "report.md").write_text(text, encoding="utf-8")
    return text
