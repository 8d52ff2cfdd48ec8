"""Which lines a server can run over its caller's own netlink socket, and the cost of such a call. Prints the figures of decision record
012: `compat-tests/safety/attack socket_share`. The caller isn't root, so no change runs."""

import collections
import statistics
from pathlib import Path

from runner import scenario

from . import bench
from .passing import WEAKER, WithOpenServer, ask, changed
from .rights_changes import CHANGES, TOOLS

_ROOT = Path(__file__).parent.parent
_MORE = "needs more than a netlink socket"
_CALLS = """
import ctypes, time
system, line = ctypes.CDLL(None).system, b"ip link set lo up"
def median(count, pause):
    times = []
    for _ in range(count):
        if pause: time.sleep(pause)
        start = time.monotonic_ns()
        system(line)
        times.append(time.monotonic_ns() - start)
    return sorted(times)[len(times) // 2] // 1000
print(median(1000, 0), median(15, 0.15))
"""


def answer(line: str) -> str:
    """Why the server doesn't run the line; empty if it does."""
    with bench.Peer(seconds=5) as peer:
        try:
            return ask(line.encode(), peer=peer).text
        except TimeoutError:
            return "no answer in time"


def scenarios() -> list[str]:
    """Every fifth line of the scenarios."""
    return [line.text for file in sorted((_ROOT / "scenarios").glob("*.scn")) for block in scenario.read(file) for line in block.lines][::5]


class Share(WithOpenServer):
    def test_lines(self):
        for name, lines in ("swss-lines.txt", (_ROOT / "swss-lines.txt").read_text().splitlines()), ("scenarios", scenarios()):
            texts = eval(changed(WEAKER["nobody"], lambda lines=lines: [answer(line) for line in lines]))
            more = collections.Counter(text.split(": " + _MORE)[0].split()[0] for text in texts if _MORE in text)
            others = [text for text in texts if _MORE not in text]
            fell = sum(bool(text) and "peer" not in text and "change" not in text for text in others)
            print(f"# {name}: {len(lines)} lines, {fell} that fall back for other reasons, {sum(more.values())} that need more:")
            for need, count in more.most_common(12):
                print(f"#   {count:5} {need}")

    def test_costs(self):
        filtered = f"{TOOLS}\n{CHANGES['a system call filter']}\nimport sys\nos.execv(sys.argv[1], sys.argv[1:])"
        ways = {"the server's": (), "the caller's": ("/usr/bin/python3", "-I", "-c", filtered)}
        times = {name: ([], []) for name in ways}
        for _ in range(5):
            for name, prefix in ways.items():
                program = bench.Program(_CALLS, prefix=prefix)
                program.process.wait(120)
                for kind, value in zip(times[name], program.finish()[-1].split(), strict=True):
                    kind.append(int(value))
        for name, (burst, alone) in times.items():
            print(
                f"# over {name} socket: {statistics.median(burst)} µs in a burst, {statistics.median(alone)} µs 150 ms apart ({burst}, {alone})"
            )
