"""The measuring tools: the server, the recorded netlink requests, bench_call, bench_sequence and hyperfine."""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time

BENCH = pathlib.Path(__file__).resolve().parent.parent
BUILD = BENCH.parent / "build" / "release"
NLSH = str(BUILD / "nlsh")


def run(*command, **options):
    """Runs a command that must succeed; returns its standard output."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{command} failed with {done.returncode}: {done.stderr}")
    return done.stdout


def batch(tool, lines, *by):
    """Runs commands by one process of the real ip or bridge, or of the command `by`."""
    run(*(by or [tool]), "-batch", "-", input="\n".join(lines) + "\n")


def configure(lines):
    """Runs ip commands by the real ip."""
    batch("ip", lines)


def summary(samples_us):
    """Median and p99 in microseconds of a list of times."""
    ordered = sorted(samples_us)
    return {
        "median": ordered[len(ordered) // 2],
        "p99": ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)],
        "calls": len(ordered),
    }


def native(line):
    return subprocess.run([NLSH, "explain", line], capture_output=True).returncode == 0


@contextlib.contextmanager
def server():
    """A server in this namespace; yields the environment of a program under the preload."""
    with serving() as (environment, _):
        yield environment


@contextlib.contextmanager
def serving(*around, build=BUILD, options=()):
    """A server of that build, with these options and the command `around` before it; yields the environment and the process."""
    with tempfile.TemporaryDirectory(prefix="nlsh-bench-") as directory:
        socket = f"{directory}/nlsh.sock"
        process = subprocess.Popen([*around, build / "nlsh", "serve", "--socket", socket, *options])
        try:
            last = f"{socket}.{max(os.sched_getaffinity(0))}"
            limit = time.monotonic() + 10
            while not os.path.exists(last) and time.monotonic() < limit:
                time.sleep(0.01)
            yield {**os.environ, "LD_PRELOAD": str(build / "libnlsh-preload.so"), "NLSH_SOCKET": socket}, process
        finally:
            process.terminate()
            process.wait()


def in_process(build=BUILD):
    """The environment of a program under the preload that answers in the process, without a server."""
    return {**os.environ, "LD_PRELOAD": str(build / "libnlsh-preload.so"), "NLSH_ENGINE": "inproc", "NLSH_SOCKET": "/nonexistent"}


def recorded_requests(command):
    """Records the requests of a command of nlsh, from strace's hex dump: a line of hexadecimal digits for each netlink message,
    and a path and digits for each write to /proc/sys."""
    with tempfile.NamedTemporaryFile("r", prefix="nlsh-bench-") as trace:
        run("strace", "-qq", "-y", "-e", "trace=sendto,write", "-e", "write=all", "-o", trace.name, *command)
        requests = []
        wanted = False
        for line in trace:
            dump = re.match(r" \| [0-9a-f]+ ((?: [0-9a-f]{2}| {3}| (?= )){1,17})", line)
            if not dump:
                start = re.match(r"sendto\(|write\(\d+<(/proc/sys/[^>]*)>", line)
                wanted = start is not None
                if wanted:
                    requests.append(f"{start.group(1)} " if start.group(1) else "")
            elif wanted:
                requests[-1] += dump.group(1).replace(" ", "")
        return requests


@contextlib.contextmanager
def file_of(lines):
    """Yields the name of a file with these lines."""
    with tempfile.NamedTemporaryFile("w", prefix="nlsh-bench-") as file:
        file.write("".join(f"{line}\n" for line in lines))
        file.flush()
        yield file.name


def requests_file(command):
    return file_of(recorded_requests(command))


def samples(line, environment, fast, slow, pause_us=0):
    """Measures a line in one program: {way: microseconds of each call} for raw, nlsh's and libc's popen and system."""
    with requests_file([NLSH, "-q", "-c", line]) as requests:
        found = json.loads(run(BUILD / "bench_call", line, requests, fast, slow, pause_us, env=environment))
    return {way: times for way, times in found.items() if times}


def calls(line, environment, fast, slow, pause_us=0):
    """Like samples(), but returns {way: summary}."""
    return {way: summary(times) for way, times in samples(line, environment, fast, slow, pause_us).items()}


def calls_both(line, environment, fast, slow, pause_us=0):
    """Like calls(), by the server and in process; for ways that both measure, the server's run counts."""
    inside = calls(line, in_process(), fast, 0, pause_us)
    return {
        **calls(line, environment, fast, slow, pause_us),
        "in-process popen": inside["nlsh popen"],
        "in-process system": inside["nlsh system"],
    }


def replay(command, group, runs):
    """Sends a command's requests again in a bare loop, `group` of them by each system call."""
    with requests_file(command) as requests:
        return summary([float(run(BUILD / "bench_replay", requests, group)) for _ in range(runs)])


def sequence(way, lines, environment):
    """Runs lines one after the other in one program. Returns the microseconds of each."""
    with file_of(lines) as file:
        return json.loads(run(BUILD / "bench_sequence", way, file, env=environment))


def size(quick, whole, few, once):
    """Chooses the count of a published run, of --quick, or of --smoke (which only shows that everything runs)."""
    return {False: whole, True: few, "smoke": once}[quick]


def hyperfine(command, runs, *options, warmup=3):
    """The summary of a command as a process, without a shell in between."""
    with tempfile.NamedTemporaryFile("r", prefix="nlsh-bench-") as export:
        run("hyperfine", "-N", "--style", "none", "--warmup", warmup, "--runs", runs, "--export-json", export.name, *options, command)
        times = json.load(export)["results"][0]["times"]
    return summary([seconds * 1e6 for seconds in times])


def on_processors(numbers, action, *arguments):
    """Runs the action; programs that it starts get only these processors."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, numbers)
    try:
        return action(*arguments)
    finally:
        os.sched_setaffinity(0, before)


def elapsed(action):
    """Microseconds of one action."""
    before = time.monotonic()
    action()
    return (time.monotonic() - before) * 1e6
