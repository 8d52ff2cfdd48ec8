"""An SVG for each topic with times: a group of bars for each row, by gnuplot."""

import subprocess

SETTINGS = """
set terminal svg size {width},420 font 'sans,11' background 'white'
set output '{path}'
set title '{title}' noenhanced
set style data histograms
set style histogram clustered gap 1.5
set style fill solid 0.85 border -1
set logscale y
set format y '10^{{%L}}'
set ylabel '{unit}'
set grid ytics
set key outside right top noenhanced
set xtics rotate by -20 noenhanced
plot for [i=2:{columns}] $data using i:xtic(1) title columnheader(i)
"""


def drawn(topic):
    """The ways of a topic to draw: those that the topic names, or all that are times."""
    return topic.get("bars") or [way for way in topic["ways"] if any(is_time(row["ways"].get(way)) for row in topic["rows"])]


def is_time(value):
    return isinstance(value, dict) and "median" in value


def quoted(text):
    return '"' + text.replace('"', "'") + '"'


def data(topic, ways):
    rows = [" ".join(map(quoted, ["", *ways]))]
    for row in topic["rows"]:
        values = (row["ways"].get(way) for way in ways)
        numbers = (value["median"] if is_time(value) else value for value in values)
        rows.append(" ".join([quoted(row["name"]), *("NaN" if number is None else f"{number:.3f}" for number in numbers)]))
    return "$data << END\n" + "\n".join(rows) + "\nEND\n"


def draw(topic, path):
    """Draws the topic. Returns False if no way is a time, or gnuplot isn't installed."""
    ways = drawn(topic)
    if not ways:
        return False
    settings = SETTINGS.format(
        path=path,
        title=topic["title"].replace("'", ""),
        unit=topic.get("unit", "microseconds (median)"),
        columns=len(ways) + 1,
        width=420 + 28 * len(ways) * len(topic["rows"]),
    )
    try:
        done = subprocess.run(["gnuplot"], input=data(topic, ways) + settings, text=True, capture_output=True)
    except FileNotFoundError:
        return False
    return done.returncode == 0
