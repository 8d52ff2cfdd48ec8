"""Compares this build with an earlier one, by turns in one run. compat-tests/versions/build makes the earlier one."""

from . import measurement, namespace
from .limits import limit
from .lines import LINES

BUILD = measurement.BENCH.parent / "build" / "previous"
WAYS = ("server", "in process")


def column(way, when):
    return f"{way}, {when}"


class Previous:
    def measure(self, quick):
        namespace.standard()
        rounds = measurement.size(quick, 150, 20, 2)
        there = (BUILD / "nlsh").exists() and (BUILD / "libnlsh-engine.so").exists()
        before = BUILD if there else measurement.BUILD
        with measurement.serving(build=before) as (old, _), measurement.server() as new:
            environments = {
                column("server", "before"): old,
                column("server", "now"): new,
                column("in process", "before"): measurement.in_process(before),
                column("in process", "now"): measurement.in_process(),
            }
            rows = [self.row(name, line, environments, rounds) for name, line in LINES.items()]
        columns = [column(way, when) for way in WAYS for when in ("before", "now")]
        note = "*before*: 2e6c17d." if there else "build/previous isn't there (`compat-tests/versions/build`): *before* is this build, too."
        return {
            "title": "A popen before and now",
            "ways": columns,
            "ratios": [[column(way, "now"), column(way, "before")] for way in WAYS],
            "above": [[column(way, "now"), column(way, "before")] for way in WAYS],
            "note": f"{note} On one processor, in turns of 25 calls.",
            "compares": there,
            "rows": rows,
        }

    @staticmethod
    def row(name, line, environments, rounds):
        found = limit(line, environments, rounds)
        ways = {name: measurement.summary(times["popen"]) for name, times in found.items()}
        return {"name": name, "line": line, "native": measurement.native(line), "ways": ways}
