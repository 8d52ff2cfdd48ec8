"""Measures popen by each way, in the container, root or namespace in which it starts; needs only Python's standard library.

python3 -I calls_in_place.py BUILD SOCKET ROUNDS CALLS [WAY…]: prints JSON {line: {way: [microseconds, …]}}; "first call" is a program's
first one. Without a socket's path it starts its own server."""

import collections
import json
import os
import subprocess
import sys
import tempfile
import time

SET = "ip link set lo mtu 65536"
LINES = {
    "a set": SET,
    "a chain of six": " && ".join([SET] * 6),
    "a show": "ip link show lo",
    "a filtered show": "ip addr show lo | grep inet | wc -l",
}
FEWER = {"plain": 30, "no server": 10, "no server, nothing spawned": 30}  # these ways make so many times fewer calls


def environments(build, socket):
    preload = {**os.environ, "LD_PRELOAD": f"{build}/libnlsh-preload.so"}
    nowhere = {**preload, "NLSH_SOCKET": "/nonexistent"}
    return {
        "plain": dict(os.environ),
        "server": {**preload, "NLSH_SOCKET": socket},
        "in process": {**nowhere, "NLSH_ENGINE": "inproc"},
        "no server": {**nowhere, "NLSH_PROGRAM": f"{build}/nlsh"},
    }


def serve(build, socket):
    server = subprocess.Popen([f"{build}/nlsh", "serve", "--socket", socket], stderr=subprocess.DEVNULL)
    limit = time.monotonic() + 10
    while not os.path.exists(f"{socket}.0") and time.monotonic() < limit:
        time.sleep(0.02)
    return server


def one_program(build, line, calls, environment, directory):
    path = f"{directory}/lines"
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{line}\n" * calls)
    return json.loads(
        subprocess.run([f"{build}/bench_sequence", "popen", path], env=environment, check=True, stdout=subprocess.PIPE).stdout
    )


def measured(build, socket, rounds, calls, ways, directory):
    found = {name: collections.defaultdict(list) for name in [*LINES, "first call"]}
    for _ in range(rounds):
        for name, line in LINES.items():
            for way, environment in environments(build, socket).items():
                if ways and way not in ways:
                    continue
                first, *times = one_program(build, line, max(3, calls // FEWER.get(way, 1)), environment, directory)
                found[name][way] += times
                if line == SET:
                    found["first call"][way].append(first)
    return found


def main():
    build, socket, rounds, calls, *ways = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory:
        server = None if socket != "-" else serve(build, f"{directory}/nlsh.sock")
        socket = socket if socket != "-" else f"{directory}/nlsh.sock"
        try:
            print(json.dumps(measured(build, socket, int(rounds), int(calls), ways, directory)))
        finally:
            if server:
                server.terminate()
                server.wait()


main()
