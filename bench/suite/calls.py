"""One call of popen or system in a program that runs on: libc's, nlsh's, and the netlink requests alone."""
from . import measurement, namespace
from .lines import LINES


class Calls:
    def __init__(self, links):
        self.links = links

    def measure(self, quick):
        namespace.standard()
        namespace.many_links(self.links)
        fast, slow = (200, 10) if quick else (10000, 200)
        with measurement.server() as environment:
            rows = [{"name": name, "line": line, "native": measurement.native(line),
                     "ways": measurement.calls(line, environment, fast, slow)} for name, line in LINES.items()]
        namespace.remove_links()
        return {
            "title": f"One call in a running program, {self.links} other links",
            "ways": ["plain popen", "nlsh popen", "plain system", "nlsh system", "raw"],
            "ratios": [["plain popen", "nlsh popen"], ["plain system", "nlsh system"]],
            "above": ["nlsh popen", "raw"],
            "rows": rows,
        }
