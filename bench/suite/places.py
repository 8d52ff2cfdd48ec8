"""Calls in users' environments: this machine, another network namespace than the server's, a user who isn't root, SONiC's container,
Debian 13. Also the cost of loading the engine into a program."""

import json
import os
import subprocess

from . import measurement, namespace
from .ways import usual

HELPER = measurement.BENCH / "suite" / "calls_in_place.py"
TESTS = measurement.BENCH.parent / "compat-tests"
USER, GROUP_OF_USER = "nobody", "nogroup"
UNAVAILABLE = 77
WAYS = ("plain", "server", "in process", "no server")


class Unavailable(Exception):
    """Says why this machine lacks a place."""


def asked(*around, quick, socket="-", ways=()):
    rounds, calls = measurement.size(quick, (3, 400), (2, 100), (1, 12))
    words = [*around, "/usr/bin/python3", "-I", str(HELPER), str(measurement.BUILD), socket, str(rounds), str(calls), *ways]
    return answer(words)


def answer(words):
    """Runs the words without PATH's directories that only root can search: with them, another user would find another `ip`."""
    done = subprocess.run(words, capture_output=True, text=True, env=usual(os.environ))
    if done.returncode == UNAVAILABLE:
        raise Unavailable(done.stdout.strip())
    if done.returncode != 0:
        raise RuntimeError(f"{words}: {done.returncode}: {done.stderr}{done.stdout}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def here(quick):
    return asked(quick=quick)


def other_namespace(quick):
    """The server stays in this namespace."""
    with measurement.serving() as (environment, _):
        return asked("unshare", "-n", quick=quick, socket=environment["NLSH_SOCKET"])


def other_user(quick):
    """A user with NET_ADMIN as an ambient capability, so that `ip` may change the network."""
    with measurement.serving(options=("--mode", "0660", "--group", GROUP_OF_USER)) as (environment, _):
        os.chmod(os.path.dirname(environment["NLSH_SOCKET"]), 0o755)
        capability = ("--inh-caps=+net_admin", "--ambient-caps=+net_admin")
        around = ("setpriv", f"--reuid={USER}", f"--regid={GROUP_OF_USER}", "--clear-groups", *capability)
        return asked(*around, quick=quick, socket=environment["NLSH_SOCKET"])


def sonic(quick):
    """compat-tests/containers/in_swss takes a script."""
    rounds, calls = measurement.size(quick, (3, 400), (2, 100), (1, 12))
    script = f"exec /usr/bin/python3 -I {HELPER} {measurement.BUILD} - {rounds} {calls}"
    return answer([TESTS / "containers" / "in_swss", script])


def trixie(quick):
    """Runs in Debian 13's root file system, which has iproute2 6.15; the runner takes minutes to make it."""
    if quick == "smoke" and not (measurement.BENCH.parent / "build/roots/reference-trixie").exists():
        raise Unavailable("no root of trixie")
    os.environ["PYTHONPATH"] = str(TESTS)
    return asked("python3", "-B", "-m", "runner", "inside", "trixie", quick=quick)


PLACES = {
    "this machine": here,
    "another network namespace": other_namespace,
    "another user, NET_ADMIN ambient": other_user,
    "SONiC's container": sonic,
    "Debian 13, iproute2 6.15": trixie,
}


# A program's private dirty memory, before its first call and after some calls.
OWN_KIB = """
import ctypes, re
libc = ctypes.CDLL(None)
def own():
    with open("/proc/self/smaps_rollup") as file:
        print(re.search(r"^Private_Dirty:\\s+(\\d+)", file.read(), re.M)[1])
own()
for _ in range(20):
    libc.system(b"ip link set lo up")
own()
"""


def engine(quick):
    """A program's start and its own memory: under the preload, and also with the engine."""
    runs = measurement.size(quick, 300, 20, 3)
    away = {**os.environ, "NLSH_SOCKET": "/nonexistent", "LD_PRELOAD": str(measurement.BUILD / "libnlsh-preload.so")}
    environments = {"preload": {**away, "NLSH_PROGRAM": "none"}, "engine": measurement.in_process()}
    starts, kib = {name: [] for name in environments}, {}
    words = [str(measurement.BUILD / "bench_sequence"), "popen", "/dev/null"]
    for _ in range(runs):
        for name, environment in environments.items():
            starts[name].append(measurement.elapsed(lambda environment=environment: measurement.run(*words, env=environment)))
    for name, environment in environments.items():
        kib[name] = [int(line) for line in measurement.run("/usr/bin/python3", "-I", "-c", OWN_KIB, env=usual(environment)).split()]
    times = {name: measurement.summary(each) for name, each in starts.items()}
    return times | {
        "engine − preload, µs": times["engine"]["median"] - times["preload"]["median"],
        "KiB, loaded": float(kib["engine"][0] - kib["preload"][0]),
        "KiB, after 20 calls": float(kib["engine"][1] - kib["preload"][1]),
    }


class Places:
    def measure(self, quick):
        namespace.standard()
        rows, missing = [], ""
        for place, measure in PLACES.items():
            try:
                found = measure(quick)
            except Unavailable as reason:
                missing += f" Not measured: {place} ({reason})."
                continue
            for name, ways in found.items():
                rows.append({"name": f"{place}: {name}", "ways": {way: measurement.summary(times) for way, times in ways.items()}})
        return {
            "title": "Where users are",
            "ways": list(WAYS),
            "ratios": [["plain", way] for way in WAYS[1:]],
            "note": "By popen. *no server*: `nlsh -c` in place of `sh -c`. *first call*: of a program's life. "
            f"{len(PLACES) - missing.count('Not measured')} of {len(PLACES)} places measured.{missing}",
            "rows": rows,
        }


class Load:
    def measure(self, quick):
        namespace.standard()
        ways = engine(quick)
        return {
            "title": "Loading the engine",
            "ways": list(ways),
            "ratios": [],
            "note": "The whole life of a program that does nothing, under the preload and with `NLSH_ENGINE=inproc`; *KiB*: private memory written to, more "
            "than under the preload.",
            "rows": [{"name": "a program", "ways": ways}],
        }
