#!/usr/bin/env python3
"""What `ip netns add` and its like mount: /run/netns in odd states, hostile names, limits, many at once, and kills in the middle.

Each line runs by the real ip and by `nlsh -c` in mount namespaces of their own. Compared: output, status, the files and mounts that are left.
NLSH_NETNS_MANY: how many at once (1000 by hand, 40 in CI)."""

import itertools
import os
import random
import re
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from nlsh_test.place import NLSH

MANY = int(os.environ.get("NLSH_NETNS_MANY", "40"))
STATE = """
echo "status $?"; cd /run; find . -printf '%p %y %m %l\\n' | sort
sed 's/^[0-9]* [0-9]* [0-9:]* //; s/net:\\[[0-9]*\\]/net/; s/shared:[0-9]*/shared/; s/master:[0-9]*/master/' /proc/self/mountinfo | grep '^/[^ ]* /run/.* - tmpfs run \\|net ' | sort
"""
ALONE = ["unshare", "-mn", "--propagation", "private", "sh", "-c"]


def run(setup: str, line: str, real: bool, around: str = "", wrap=()) -> str:
    """The output and the remaining files and mounts."""
    words = "sh -c" if real else f"{NLSH} -q -c"
    script = f'mount -t tmpfs -o mode=755 run /run; {setup}\n{around} {words} "$1"{STATE}'
    done = subprocess.run([*wrap, *ALONE, script, "sh", line], capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    text = done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace")
    return re.sub(r"\n/run/[^ ]* ", "\n", text)


class Netns(unittest.TestCase):
    def same(self, setup: str, line: str, **options):
        with self.subTest(setup=setup, line=line):
            self.assertEqual(run(setup, line, False, **options), run(setup, line, True, **options))

    def test_places(self):
        places = (
            *("", "mkdir /run/netns", "touch /run/netns", "ln -s /run/x /run/netns", "mkdir /run/x; ln -s x /run/netns"),
            *(
                "mkdir -m 0 /run/netns",
                "mkdir /run/netns; touch /run/netns/a",
                "mkdir -p /run/netns/a",
                "mkdir /run/netns; ln -s /run/y /run/netns/a",
            ),
            "mkdir /run/netns; mount -t tmpfs -o ro x /run/netns",
            "mkdir /run/netns; mount -t tmpfs x /run/netns; mount --make-slave /run/netns",
            "mkdir /run/netns; mount -t tmpfs x /run/netns; mount --make-unbindable /run/netns",
            "mkdir /run/netns; mount --make-unbindable /run",
            "mount --make-shared /run",
            "mount -o remount,ro /run",
            "mkdir /run/netns; mount -o remount,ro /run",
            "ip netns add a",
            "ip netns add a; umount /run/netns/a",
            "ip netns add b; mount --bind /run/netns/b /run/netns/b",
        )
        for place, line in itertools.product(places, ("ip netns add a", "ip netns delete a; ip netns delete b", "ip netns attach a 1")):
            self.same(place, line)

    def test_names(self):
        names = (
            "../x",
            "a b",
            ".",
            "..",
            "",
            "-x",
            "-",
            "--",
            "a/b",
            "/a",
            "a" * 255,
            "a" * 256,
            "a\nb",
            "é",
            "\udcff",
            "*",
            "$x",
            "a'b",
            "netns",
            "add",
        )
        for name in names:
            quoted = "'" + name.replace("'", "'\\''") + "'"
            self.same("", f"ip netns add {quoted}; ip netns add {quoted}; ip netns pids {quoted}; ip netns delete {quoted}")

    def test_limits_and_rights(self):
        for around in (
            *("setpriv --bounding-set=-sys_admin --", "setpriv --reuid=65534 --clear-groups --", "setpriv --no-new-privs --"),
            *("prlimit --nproc=1 --", "prlimit --nofile=16 --", "prlimit --fsize=0 --", "prlimit --as=20000000 --"),
        ):
            for line in ("ip netns add a", "ip netns delete b", "ip netns pids b", "ip netns identify 1"):
                self.same("ip netns add b", line, around=around)
        inside = ("unshare", "-Ur")
        for limit in (0, 1, 2):
            self.same(f"echo {limit} >/proc/sys/user/max_net_namespaces", "ip netns add a; ip netns add b", wrap=inside)
        self.same("echo 2 >/proc/sys/user/max_mnt_namespaces", "ip netns add a; ip -n a link; ip netns delete a", wrap=inside)
        self.same("", "ip netns add a && ip -n a link set lo up && ip netns exec a ip -br link; ip netns delete a", wrap=inside)

    def test_many_at_once(self):
        """All namespaces exist, /run/netns is mounted once, and all can be deleted."""
        for words in ("sh -c", f"{NLSH} -q -c"):
            script = f"""mount -t tmpfs -o mode=755 run /run
seq {MANY} | xargs -P 64 -I@ {words} "ip netns add n@" || echo failed
ls /run/netns | wc -l; grep -c ' /run/netns .* tmpfs run ' /proc/self/mountinfo; grep -c ' /run/netns/n' /proc/self/mountinfo
seq {MANY} | xargs -P 64 -I@ {words} "ip netns delete n@" || echo failed
ls /run/netns | wc -l; grep -c ' /run/netns/n' /proc/self/mountinfo
seq 64 | xargs -P 64 -I@ {words} "ip netns add same 2>/dev/null && echo made"; grep -c ' /run/netns/same' /proc/self/mountinfo"""
            done = subprocess.run([*ALONE, script], capture_output=True, text=True, timeout=300)
            # Concurrent real ips race: one may be the second to bind /run/netns.
            lines = done.stdout.replace("failed\n", "").split("\n")
            self.assertEqual([lines[0], *lines[2:]], [str(MANY), str(MANY), "0", "0", "made", "1", ""], (words, done))
            self.assertEqual(lines[1], "1", words)

    def test_kills(self):
        """A kill leaves what a killed real ip leaves: nothing, a file, or a namespace. The next call continues from there."""
        chance = random.Random(1)
        script = """mount -t tmpfs -o mode=755 run /run; ip netns add first
while read -r each; do
    [ -e /run/netns/a ] && left=file || left=nothing
    grep -q ' /run/netns/a ' /proc/self/mountinfo && left=namespace
    echo "$left $(grep -c ' /run/netns .* tmpfs run ' /proc/self/mountinfo) $(ls /run/netns | wc -l)"
    ip netns delete a 2>/dev/null; echo done
done"""
        keeper = subprocess.Popen([*ALONE, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        time.sleep(0.3)
        states = set()
        for _ in range(60):
            call = subprocess.Popen(["nsenter", f"--mount=/proc/{keeper.pid}/ns/mnt", str(NLSH), "-q", "-c", "ip netns add a"])
            time.sleep(chance.uniform(0, 0.02))
            call.send_signal(signal.SIGKILL)
            call.wait()
            keeper.stdin.write("look\n")
            states.add(keeper.stdout.readline().strip())
            self.assertEqual(keeper.stdout.readline(), "done\n")
        keeper.stdin.close()
        keeper.wait()
        self.assertLessEqual(states, {"nothing 1 1", "file 1 2", "namespace 1 2"})


if __name__ == "__main__":
    unittest.main()
