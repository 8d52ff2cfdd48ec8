"""Runs one attack of the table, by one way into nlsh or with the real tools. Each run has its own network namespace, mount namespace and
server, and a program that runs the lines. The outcome has each call's result, what was written, how the program ended, and the kernel's state.

arena.py FOLDER: the part inside these namespaces; runs the attack of FOLDER/row."""

import dataclasses
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from nlsh_test import trace
from nlsh_test.server import Server

SECONDS = 60  # timeout for quick steps on a busy machine
CALLER = Path(__file__).with_name("arena_caller.py")
# For each way, the additional environment of the program.
WAYS = {
    "real": {},
    "server": {"LD_PRELOAD": "preload", "NLSH_SOCKET": "socket"},
    "inproc": {"LD_PRELOAD": "preload", "NLSH_ENGINE": "inproc", "NLSH_SOCKET": "socket"},
}
STATE = ("ip -d link", "ip -d addr", "ip route show table all", "ip -6 route show table all", "ip rule", "ip -d neigh", "ip nexthop")


@dataclasses.dataclass
class Outcome:
    calls: list  # of [how, line, status, output]
    out: str
    err: str
    ended: int
    state: str = ""
    native: list[bool] = dataclasses.field(default_factory=list)  # for each traced call of the row's lines
    reasons: list[str] = dataclasses.field(default_factory=list)  # of the fallbacks, each once
    server: str = ""  # the server's messages, and how it ended if not by SIGTERM

    def seen(self, unordered: bool):
        """What must equal the real tools' outcome. unordered: a pipeline's commands write in any order, and dash writes a line in pieces."""
        err = "".join(sorted(self.err)) if unordered else self.err
        return {"calls": plain(self.calls), "out": plain(self.out), "err": plain(err), "ended": self.ended, "state": plain(self.state)}


class Ground:
    """The set-up of one attack, for all ways; `bench` has the places."""

    def __init__(self, bench):
        self.bench = bench

    def run(self, row, way: str) -> Outcome:
        folder = Path(f"/run/arena/{row.place_name()}-{way}")
        folder.mkdir(parents=True)
        name = "arena"
        bench = self.bench
        (folder / "row").write_text(
            json.dumps(dataclasses.asdict(row) | {"way": way, "nlsh": str(bench.NLSH), "preload": str(bench.PRELOAD)})
        )
        bench.ip("netns", "add", name)
        try:
            bench.ip("-n", name, "link", "set", "lo", "up")
            spaces = ("nsenter", f"--net=/run/netns/{name}", "unshare", "-m", "--propagation", "private")
            done = subprocess.run(
                [*spaces, "/usr/bin/python3", "-I", __file__, str(folder)],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=4 * SECONDS,
            )
            if done.returncode != 0:
                raise RuntimeError(f"{row.name}, {way}: {done.stderr}")
            outcome = Outcome(**json.loads(done.stdout))
            outcome.state = state(name)
            return outcome
        finally:
            bench.ip("netns", "del", name)


def state(name: str) -> str:
    """The kernel's state without random parts."""
    texts = []
    for line in STATE:
        words = line.split()
        texts.append(subprocess.run(["/sbin/ip", "-n", name, *words[1:]], capture_output=True, text=True, errors="replace").stdout)
    text = "\n".join(texts)
    text = re.sub(r"bridge_id \S+ designated_root \S+", "", text)
    text = re.sub(r"(?:hello|tcn|topology_change|gc)_timer +[0-9.]+", "", text)
    return re.sub(r"fe80::\S+", "LINK-LOCAL", text)


class Inside:
    """The part that runs in the namespaces."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.row = json.loads((folder / "row").read_text())
        self.way = self.row["way"]
        self.socket = "/run/nlsh/nlsh.sock"
        self.server = None

    def environment(self) -> dict[str, str]:
        places = {"preload": self.row["preload"], "socket": self.socket}
        added = {name: places.get(value, value) for name, value in WAYS[self.way].items()}
        if added:
            added["NLSH_TRACE"] = str(self.folder / "trace")
            added["NLSH_TIMEOUT_MS"] = str(self.row["patience"])
        return os.environ | {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"} | added

    def start_server(self):
        shutil.rmtree("/run/nlsh", ignore_errors=True)  # left by an earlier attack
        around = wrapped(self.row["server"], [])
        with open(self.folder / "server-err", "wb") as err:
            server = Server(self.socket, "--log", "off", program=self.row["nlsh"], around=around, seconds=SECONDS, stderr=err, cwd="/")
            server.launch()
        self.server = server.process

    def end_server(self) -> str:
        """The server's messages, and how it ended if it failed."""
        early = self.server.poll()
        if early is None:
            for number in (signal.SIGCONT, signal.SIGTERM):
                self.server.send_signal(number)
        try:
            status = self.server.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.server.kill()
            status = self.server.wait()
        text = (self.folder / "server-err").read_text(errors="replace")
        return text + (f"ended early: {early}\n" if early is not None else f"ended: {status}\n" if status != 0 else "")

    def run_caller(self) -> int:
        words = ["/usr/bin/python3", "-I", str(CALLER), str(self.folder / "report"), str(self.server.pid if self.server else 0)]
        environment = self.environment()
        with open(self.folder / "out", "wb") as out, open(self.folder / "err", "wb") as err:
            caller = subprocess.Popen(
                wrapped(self.row["caller"], words, environment),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd=self.folder,
                env=os.environ | {"PATH": environment["PATH"], "LC_ALL": "C"},
                start_new_session=True,
            )
            try:
                return caller.wait(2 * SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(caller.pid, signal.SIGKILL)
                caller.wait()
                return 999

    def traced(self) -> list[trace.Call]:
        """The calls after the warm-up, without the execs of their shells."""
        file = self.folder / "trace"
        return [call for call in trace.read(file, "popen", "system") if "# warm" not in call.line] if file.exists() else []

    def run(self) -> Outcome:
        if self.row["place"]:
            subprocess.run(["/bin/sh", "-ec", self.row["place"]], check=True, cwd=self.folder, stdout=sys.stderr)
        if self.way == "server":
            self.start_server()
        ended = self.run_caller()
        said = self.end_server() if self.server else ""
        texts = [(self.folder / name).read_text(errors="replace") for name in ("out", "err")]
        # Each way has its own folder; mask the names of temporary files.
        texts = [text.replace(str(self.folder), "FOLDER") for text in texts]
        report = self.folder / "report"
        calls = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
        traced = self.traced()
        reasons = sorted({call.reason for call in traced if not call.native})
        return Outcome(calls, *texts, ended, native=[call.native for call in traced], reasons=reasons, server=said)


def plain(value):
    """Masks a device's address, which is random."""
    if isinstance(value, str):
        return re.sub(r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}", "MAC", value)
    return [plain(each) for each in value] if isinstance(value, list) else value


def wrapped(prefix: str, words: list[str], environment: dict[str, str] | None = None) -> list[str]:
    """Runs the row's preparations in a shell, then the words. Only the words get nlsh's variables."""
    if environment is not None:
        words = [
            "/usr/bin/env",
            *(
                f"{name}={environment[name]}"
                for name in ("LD_PRELOAD", "NLSH_SOCKET", "NLSH_ENGINE", "NLSH_TRACE", "NLSH_TIMEOUT_MS")
                if name in environment
            ),
            *words,
        ]
    return ["/bin/sh", "-ec", (prefix or ":") + '\n[ -n "$run" ] || run=exec\n$run "$@"', "sh", *words]


if __name__ == "__main__":
    print(json.dumps(dataclasses.asdict(Inside(Path(sys.argv[1])).run())))
