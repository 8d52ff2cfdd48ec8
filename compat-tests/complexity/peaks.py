"""In a network namespace: peaks.py FOLDER ROUTES. The batch in the folder makes so many; then: the status of `ip route show` by `nlsh -c`, the
most memory, in KiB, that it and a server took for one, and how many lines the server's caller got."""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from nlsh_test.place import BUILD, NLSH
from nlsh_test.server import Server

PIPE = 4000  # routes: more than a pipe holds, so that who prints waits for its reader
COUNT = "n = 0 for _ in io.popen('ip route show'):lines() do n = n + 1 end print(n)"


def peak(process):
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(line.split()[1] for line in lines if line.startswith("VmHWM"))


folder, routes = sys.argv[1:]
subprocess.run(["ip", "-batch", f"{folder}/batch"], check=True)
show = subprocess.Popen([NLSH, "-c", "ip route show"], stdout=subprocess.PIPE)
for _ in range(int(routes) - PIPE):
    show.stdout.readline()
own = peak(show)
show.communicate()
with Server(f"{folder}/sock") as server:
    preloaded = server.callers(BUILD / "libnlsh-preload.so")
    lines = subprocess.run(["lua5.4", "-e", COUNT], env=preloaded, capture_output=True, check=True).stdout
    print(show.returncode, own, peak(server.process), int(lines))
