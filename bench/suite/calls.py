"""One call of popen or system in a long-lived program: libc's, nlsh's, and the bare netlink requests."""

from . import measurement, namespace
from .lines import LINES


class Calls:
    def __init__(self, links):
        self.links = links

    def measure(self, quick):
        namespace.standard()
        namespace.many_links(self.links)
        fast, slow = measurement.size(quick, (10000, 200), (200, 10), (20, 2))
        with measurement.server() as environment:
            rows = [
                {
                    "name": name,
                    "line": line,
                    "native": measurement.native(line),
                    "ways": measurement.calls_both(line, environment, fast, slow),
                }
                for name, line in LINES.items()
            ]
        namespace.remove_links()
        return {
            "title": f"One call in a running program, {self.links} other links",
            "ways": ["plain popen", "nlsh popen", "in-process popen", "plain system", "nlsh system", "in-process system", "raw", "pipe"],
            "ratios": [
                ["plain popen", "nlsh popen"],
                ["plain system", "nlsh system"],
                ["plain popen", "in-process popen"],
                ["plain system", "in-process system"],
            ],
            "above": [["nlsh popen", "raw"], ["nlsh system", "raw"], ["in-process system", "raw"]],
            "rows": rows,
        }
