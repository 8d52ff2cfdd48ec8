"""Does a change cost more among thousands of links? Each line with few of them and with many."""

from . import measurement, namespace
from .lines import LINES


class Growth:
    def __init__(self, few, many):
        self.few, self.many = few, many

    def measure(self, quick):
        namespace.standard()
        many = self.many // measurement.size(quick, 1, 20, 100)
        rows = {name: {"name": name, "line": line, "native": measurement.native(line), "ways": {}} for name, line in LINES.items()}
        for count in (self.few, many):
            namespace.many_links(count)
            with measurement.server() as environment:
                for name, line in LINES.items():
                    ways = measurement.calls(line, environment, measurement.size(quick, 5000, 200, 20), 0)
                    rows[name]["ways"] |= {f"nlsh system, {count}": ways["nlsh system"], f"raw, {count}": ways["raw"]}
            namespace.remove_links()
        return {
            "title": f"One call, {self.few} or {many} other links",
            "ways": [f"{way}, {count}" for way in ("nlsh system", "raw") for count in (self.few, many)],
            "ratios": [[f"nlsh system, {many}", f"nlsh system, {self.few}"], [f"raw, {many}", f"raw, {self.few}"]],
            "rows": list(rows.values()),
        }
