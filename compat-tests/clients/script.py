# Python's subprocess execs ip and bridge itself: nlsh's are first in PATH.
import subprocess

for words in (
    ["ip", "link", "set", "v0", "master", "br0"],
    ["ip", "link", "set", "v0", "up"],
    ["ip", "addr", "add", "10.9.1.1/24", "dev", "br0"],
    ["ip", "-j", "addr", "show", "dev", "br0"],
    ["ip", "link", "set", "nosuch", "up"],
    ["ip", "link", "help"],
    ["bridge", "fdb", "add", "02:00:00:00:00:99", "dev", "v0", "master", "static"],
    ["bridge", "fdb", "show", "dev", "v0"],
):
    done = subprocess.run(words, capture_output=True, text=True)
    print(done.args, done.returncode, done.stdout, done.stderr)
