#!/usr/bin/env python3
"""Lines that feed a batch by a pipe, a here-document, a here-string or a redirection: the real shell and every way of nlsh must do the same.

    batch_lines.py [--seed N] [--lines N]    the chosen lines, and N random ones

Each runs in a network namespace of its own. Compared: stdout, stderr, both in one file, the status, the network. A chosen line must be native."""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from nlsh_test import trace  # noqa: E402
from nlsh_test.place import NLSH, PRELOAD  # noqa: E402
from nlsh_test.server import Server  # noqa: E402

SETUP = """link add v0 address 02:00:00:00:00:01 type veth peer name v1 address 02:00:00:00:00:02
link add br0 address 02:00:00:00:00:03 type bridge
addr add 10.0.0.1/24 dev v0
link set v0 up
"""
# The kernel sets a link's operational state up to a second late; asking for this one link settles it at once (Linux 6.9 and later).
RUN = """echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6; ip -batch setup
how=$1 limit=$2; shift 2
if [ "$how" = apart ]; then timeout "$limit" "$@" >out 2>err; else timeout "$limit" "$@" >out 2>&1; fi
echo $? >status; for link in v0 v1 br0; do ip link show $link; done >/dev/null 2>&1
{ ip -o -d link; ip -o addr; ip route show table all; ip rule; } | sort >state"""
# libc's system and popen, by lua, which starts quickly.
END = 'os.exit(how == "signal" and 128 + code or code)'
SYSTEM = f"local _, how, code = os.execute(arg[1]) {END}"
POPEN = f'local f = io.popen(arg[1]) io.write(f:read("a")) local _, how, code = f:close() {END}'

# native by each way
CHOSEN = (
    "echo 'link set v0 mtu 1400' | ip -batch -",
    "printf 'link set v0 mtu 1400\\naddr show dev v0\\nlink show v0\\n' | ip -batch -",
    "printf 'link set v0 mtu 1400\\naddr add 10.0.0.1/24 dev v0\\nlink set v0 mtu 1300\\n' | ip -b -",
    "printf 'link set v0 mtu 1400\\naddr add 10.0.0.1/24 dev v0\\nlink show v0\\n' | /sbin/ip -force -batch -",
    "printf '%s\\n' 'addr add 10.0.0.2/24 dev v0' 'route add 10.1.0.0/16 via 10.0.0.2' | ip -4 -b -",
    "cat lines | ip -b -",
    "cat lines | ip -force -batch -",
    "ip -batch - <lines",
    "ip -force -b - < lines",
    "ip -batch lines",
    "{ echo 'link set v0 mtu 1400'; echo 'link show v0'; } | ip -batch -",
    "(echo link set v0 mtu 1400; echo; echo '# x') | ip -batch -",
    "for i in 2 3 4; do echo addr add 10.0.0.$i/24 dev v0; done | ip -batch -",
    "echo 'link set v0 mtu 1400 # | ip -batch -' | ip -batch -",
    "ip -o link show type veth | sed 's/.*: \\(v[01]\\)@.*/link set \\1 mtu 1400/' | ip -batch -",
    "ip -batch - <<END\nlink set v0 mtu 1400\naddr add 10.0.0.1/24 dev v0\nEND",
    "ip -force -batch - <<'E'\nlink set v0 mtu 1400\nlink set v0 alias \"a b\"\naddr add 10.0.0.1/24 dev v0\nlink show v0\nE\n",
    'cat <<"EOF" | ip -b -\nlink set v0 mtu 1400\nEOF',
    "cat << EOF | bridge -b -\nlink set dev v0 learning on\nEOF\n",
    "bash -c \"ip -batch - <<< 'link set v0 mtu 1400'\"",
    "bash -c 'ip -batch - <<< \"link set v0 mtu 1400\"'",
    "bash -c \"ip -force -b - <<<'addr add 10.0.0.1/24 dev v0'\"",
    "bash -c 'printf \"link set v0 mtu 1400\\nlink show v0\\n\" | ip -batch -'",
    "bash -c 'ip -batch - <<END\nlink set v0 mtu 1400\nEND'",
    "sh -c 'echo link set v0 mtu 1400 | ip -b -'",
    "bridge -batch - <<X\nfdb add 02:00:00:00:00:44 dev v0 self\nX",
)
ENDLESS = ("ip monitor | ip -batch -",)  # until its limit
# must be the same, native or not
OTHERS = (
    "echo 'link set v0 mtu 1400' | ip -batch - && ip link show v0",
    "echo 'link set v0 mtu 1400' # | ip -batch -",
    "echo 'link set v0 mtu 1400\\' | ip -batch -",
    "echo link set v0 mtu 1400\\| ip -batch -",
    "echo 'link set v0 mtu 1400' || ip -batch -",
    "true && echo 'link set v0 mtu 1400' | ip -batch -",
    "! echo 'link set v0 mtu 9' | ip -batch -",
    "echo 'link set v0 mtu 9' | ip -batch - | cat",
    "echo 'bogus' | ip -batch -; echo $?",
    "printf 'link set v0 mtu 1400\\nbogus\\nlink set v0 mtu 1300\\n' | ip -batch -",
    "printf 'link set v0 mtu 1400\\nbogus\\nlink set v0 mtu 1300\\n' | ip -force -batch -",
    "printf 'link set v0 mtu 1400\\nlink set nosuch up\\nlink set v0 mtu 1300' | ip -force -batch -",
    "printf 'link set v0 mtu 1400\\0link set v0 mtu 1300\\n' | ip -batch -",
    "printf '' | ip -batch -",
    "echo 'link show v0' | ip -batch lines",
    "cat lines lines | ip -batch -",
    "cat nosuch | ip -batch -",
    "cat . | ip -batch -",
    "cat - | ip -batch -",
    "ip -batch - <nosuch",
    "ip -batch - <-",
    "ip -batch - 0<lines",
    "ip -batch - 3<lines",
    "ip -batch - <&-",
    "ip -batch <lines",
    "ip -batch - <lines | cat",
    "cat lines | ip -batch - >/dev/null 2>&1",
    "x=v1; ip -batch - <<END\nlink set $x mtu 1400\nEND",
    "ip -batch - <<END\nlink set v0 \\\nmtu 1400\nEND",
    "ip -batch - <<'END'\nlink set v0 \\\nmtu 1400\nEND",
    "ip -batch - <<END\nlink set v0 mtu 1400\nEND x\n",
    "ip -batch - <<END\nlink set v0 mtu 1400\n",
    "ip -batch - <<-END\n\tlink set v0 mtu 1400\n\tEND\n",
    "ip -batch - <<END\nlink set v0 mtu 1400\nEND\nip link show v0",
    "ip -batch - <<END; ip link show v0\nlink set v0 mtu 1400\nEND",
    "ip -batch - <<<'link set v0 mtu 1400'",
    "bash -c 'ip -batch - <<< link set v0 mtu 1400'",
    "bash -c 'ip -batch - <<< $\"link show\"'",
    "bash -c \"ip -batch - <<< $'link set v0 mtu 1400\\nlink show v0\\n'\"",
    "bash -c \"ip -batch - 3<<< 'link show v0'\"",
    "bash -c \"ip -batch - <<< 'link show v0' <lines\"",
    "bash -c 'set -o pipefail; false | ip -batch -'",
    "bash -c 'set -o pipefail; echo link set v0 mtu 9 | ip -batch -; echo $?'",
    "bash -c 'ip -batch - <<< \"link set v0 mtu 1400\"' x",
    "echo 'link set v0 mtu 1400\\nlink show v0' | ip -batch -",
    "bash -c \"echo 'link set v0 mtu 1400\\nlink show v0' | ip -batch -\"",
    "printf 'link set v0 alias caf\\303\\251\\n' | ip -batch -",
    "time echo link show v0 | ip -batch -",
    "echo link show v0 |& ip -batch -",
    "echo link show v0 >| ip -batch -",
    "yes link show v0 | head -n 20 | ip -batch -",
    "ip link show nosuch | ip -batch -",
    "ip link set v0 mtu 1400 | ip -batch -",
    *ENDLESS,
    "echo link show v0 | ip -n nosuch -batch -",
    "echo link show v0 | ip -batch - -batch lines",
    "echo link show v0 | nosuch/ip -batch -",
    "PATH=/nosuch; echo link show v0 | ip -batch -",
)
FILE = "# x\nlink set v0 mtu 1400\n\naddr add 10.0.0.2/24 dev v0\naddr add 10.0.0.1/24 dev v0\nlink set v0 alias 'c d'\nroute show\n"

COMMANDS = (
    *(
        "link set v0 mtu 1400",
        "link set v1 up",
        "addr add 10.0.0.1/24 dev v0",
        "addr add 10.0.0.9/24 dev v0",
        "addr show dev v0",
        "link show v0",
    ),
    *(
        "route add 10.1.0.0/16 dev v0",
        "route show",
        "link set nosuch up",
        "bogus",
        "link set v0 mtu 9",
        "# text",
        "",
        "link add d0 type dummy",
    ),
    *(
        "link del br0",
        "neigh add 10.0.0.3 dev v0",
        "rule add pref 7 table 7",
        "rule show",
        "link help",
        "link set v0 alias 'x y'",
        "-4 addr",
    ),
    *(
        "route add 10.2.0.0/16 via 10.0.0.5",
        "link",
        "link set br0 up",
        "netns add x/y",
        "addr flush dev v0",
        "link set v0 alias $x",
        "link show nosuch",
    ),
)


def by_chance(chance: random.Random) -> str:
    commands = [chance.choice(COMMANDS) for _ in range(chance.randrange(1, 7))]
    tool = (
        chance.choice(("ip", "/sbin/ip", "ip", "bridge"))
        + chance.choice(("", " -force", " -4", " -o", "  -force"))
        + chance.choice((" -b -", " -batch -"))
    )
    text = "".join(command + "\n" for command in commands)
    escaped = text.replace("\n", "\\n").replace("'", chance.choice(("", "'\\''", '"')))
    mark = chance.choice(("END", "'END'", '"E O"', "-END", "E"))
    feeds = (
        f"printf '{escaped}' | {tool}",
        f"printf '%s\\n' {' '.join(repr(command) for command in commands)} | {tool}",
        f"echo '{escaped}' | {tool}",
        "{ " + " ".join(f"echo {command};" for command in commands) + " } | " + tool,
        f"(ip link show v0; echo {commands[0]}) | {tool}",
        f"for x in v0 v1; do echo link set $x mtu 1400; echo '{commands[0]}'; done | {tool}",
        f"{tool} {chance.choice(('<<', '<< '))}{mark}\n{text}{mark.strip(chr(39) + chr(34) + '-')}{chance.choice(('', chr(10), ' ', chr(10) + 'ip link'))}",
        f"cat <<{mark} | {tool}\n{text}{mark.strip(chr(39) + chr(34) + '-')}\n",
        f"{tool} <<< {chance.choice((repr(commands[0]), commands[0], '$' + repr(text), chr(34) + commands[0] + chr(34)))}",
        f"cat lines | {tool}",
        f"{tool} <lines",
    )
    line = chance.choice(feeds)
    if chance.random() < 0.2:
        line += chance.choice((" ", " || echo no", "; echo $?", " | cat", " >/dev/null", " 2>&1", " #", "\\", "'", " &", " x"))
    return f"{chance.choice(('bash', 'sh'))} -c {quoted(line)}" if chance.random() < 0.3 else line


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


class Arena:
    def __init__(self, folder: str):
        self.folder = Path(folder)
        self.trace = self.folder / "trace"
        self.server = Server(self.folder / "socket", "--log", "off")
        (self.folder / "system.lua").write_text(SYSTEM)
        (self.folder / "popen.lua").write_text(POPEN)
        self.files = {"setup": SETUP, "lines": FILE}
        self.ways = {
            "real": (["sh", "-c"], {}),
            "nlsh -c": ([str(NLSH), "-q", "-c"], {}),
            "exec": (["env", "sh", "-c"], {"LD_PRELOAD": str(PRELOAD), "NLSH_SOCKET": self.server.socket}),
            "exec, no server": (["env", "sh", "-c"], {"LD_PRELOAD": str(PRELOAD), "NLSH_SOCKET": f"{folder}/none"}),
            "system": (["lua", f"{folder}/system.lua"], {"LD_PRELOAD": str(PRELOAD), "NLSH_SOCKET": self.server.socket}),
            "popen": (["lua", f"{folder}/popen.lua"], {"LD_PRELOAD": str(PRELOAD), "NLSH_SOCKET": self.server.socket}),
            "in process": (
                ["lua", f"{folder}/system.lua"],
                {"LD_PRELOAD": str(PRELOAD), "NLSH_SOCKET": f"{folder}/none", "NLSH_ENGINE": "inproc"},
            ),
        }

    def run(self, way: str, line: str, apart: bool) -> tuple[bool, dict[str, str]]:
        """Whether the line was native, and its result."""
        place = self.folder / "place"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        for name, text in self.files.items():
            (place / name).write_text(text)
        for lapses in Path("/dev/shm").glob("nlsh-0"):
            lapses.unlink()
        self.trace.write_text("")
        words, variables = self.ways[way]
        around = ["env", f"NLSH_TRACE={self.trace}", *(f"{name}={value}" for name, value in variables.items())]
        subprocess.run(
            ["unshare", "-n", "sh", "-c", RUN, "sh", "apart" if apart else "both", "2" if line in ENDLESS else "30", *around, *words, line],
            cwd=place,
            stdin=subprocess.DEVNULL,
            check=True,
        )
        results = {
            name: (place / name).read_text(errors="replace") for name in ("out", "err", "status", "state") if (place / name).exists()
        }
        return trace.all_native(self.trace), results

    def compare(self, line: str, ways: list[str], apart: bool) -> tuple[list[str], list[str]]:
        """The ways by which the line differs, and those by which it was native."""
        real = self.run("real", line, apart)[1]
        different, native = [], []
        for way in ways:
            answered, ours = self.run(way, line, apart)
            native += [way] if answered else []
            if ours != real and any(self.run("real", line, apart)[1] != real for _ in range(4)):
                continue  # two runs of the real shell differ
            if ours != real:
                different.append(way)
                for name in real:
                    if real[name] != ours.get(name):
                        print(f"DIFFERENT: {way}: {line!r}: {name}\n    real {real[name]!r}\n    nlsh {ours.get(name)!r}", flush=True)
        return different, native


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lines", type=int, default=100)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    counts: Counter = Counter()
    with tempfile.TemporaryDirectory(prefix="nlsh-batch-") as folder:
        arena = Arena(folder)
        ways = [way for way in arena.ways if way != "real"]
        with arena.server:
            for number, line in enumerate(CHOSEN):
                different, native = arena.compare(line, ways, number % 2 == 0)
                left = [way for way in ways if way not in native]
                if left:
                    print(f"NOT NATIVE by {', '.join(left)}: {line!r}", flush=True)
                counts.update(lines=1, different=len(different), not_native=len(left))
            others = [*OTHERS, *(by_chance(chance) for _ in range(options.lines))]
            for number, line in enumerate(others):
                some = ways[:1] if number >= len(OTHERS) else [ways[0], ways[1 + number % (len(ways) - 1)]]
                different, native = arena.compare(line, some, number % 2 == 0)
                counts.update(lines=1, different=len(different), native_of_others=bool(native))
    print(
        f"{counts['lines']} lines of seed {options.seed}: {counts['different']} differences, {counts['not_native']} of the chosen not native, "
        f"{counts['native_of_others']} of the others native"
    )
    return 1 if counts["different"] or counts["not_native"] else 0


if __name__ == "__main__":
    sys.exit(main())
