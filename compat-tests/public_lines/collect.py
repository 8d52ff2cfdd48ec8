"""Lines that run ip or bridge, out of the scripts of public Debian packages.

    collect.py FOLDER      reads the .deb and .tar.* files of FOLDER, writes lines.tsv (package, line) beside this file
    collect.py --fetch FOLDER    downloads the packages of packages.txt first

A line is a command line as a program would give it to popen: a shell script's logical line with its variables replaced by values
(values.py), or a program's string that begins with `ip` or `bridge`. What calls the script's own functions, or continues on other
lines, is cut off. Only the lines are kept, as facts about what is run; nothing of iproute2's own sources is read."""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
OBJECTS = (
    "address addr a link l route r ro rule ru neigh neighbour neighbor n netns vrf tunnel tun tuntap maddr maddress mroute token ntable "
    "netconf nexthop fou l2tp xfrm macsec tcp_metrics addrlabel fdb vlan mdb mst vni monitor"
).split()
OBJECT = "|".join(OBJECTS)
TOOL = re.compile(rf"(?:(?:/usr)?/s?bin/)?(?:ip|bridge)(?:\s+-[\w-]+(?:[ =](?:inet6?|never|\w*\d+))?)*\s+(?:{OBJECT})\b")
# A variable that holds the program: $IP, ${IPROUTE}, $ip_cmd, $(which ip).
PROGRAM = re.compile(r"^\"?\$(?:\{?(?:IP|ip|IPROUTE|iproute|IP_CMD|ip_cmd|IPPATH|IPBIN|ip_path|ipbin|ip_bin)\b\}?|\(which ip\))\"?(?=\s)")
STRING = re.compile(r"""(?<![\\\w])(["'`])((?:\\.|(?!\1)[^\\\n])*)\1""")
VARIABLE = re.compile(r"(?<!\\)\$(?:\{(?P<braced>\w+)(?:[:#%/^,\[][^{}]*)?\}|(?P<plain>[A-Za-z_]\w*|[1-9]))")
# "ip", "link", "set", dev, "up": the words of an exec, as Python, Go and C have them.
SEQUENCE = re.compile(r"""["'](?:/s?bin/)?(ip|bridge)["'],?\s((?:\s*(?:"[^"\n]*"|'[^'\n]*'|[\w.()\[\]]+),?)+)""")
VERBS = (
    "show|list|lst|ls|s|l|add|a|del|delete|d|change|chg|c|replace|r|set|flush|f|get|g|prepend|append|test|exec|identify|id|pids|attach|help"
)
# What a program's string must have behind the object: `ip route-static`, `ip address PREFIX` are other programs' lines.
VERB = re.compile(rf"^(/\S*/)?(ip|bridge)(\s+-\S+)*\s+(\w+)(\s+({VERBS})\b|\s*$|\s*[|>&;])")
# The grammar of other programs' command lines, as FRR's.
OTHER_GRAMMAR = re.compile(
    r"A\.B\.C|X:X|[A-Z]{4}|[<>(|]\s*[A-Z]|^(ip|bridge) (route|address|r|a) [\d$]|ip (router|nhrp|ospf|igmp|pim|rip|msdp)"
)
CLOSED = {"if": "; then", "elif": "; then", "while": "; do", "until": "; do"}
# What isn't a command that popen could run by itself.
OWN = {
    "return",
    "continue",
    "break",
    "local",
    "eval",
    "exec",
    "export",
    "trap",
    "shift",
    "readonly",
    "declare",
    "source",
    ".",
    "wait",
    "fi",
}
BUILTINS = {"echo", "printf", "test", "[", "[[", "true", "false", ":", "exit", "set", "cd", "read"}
UTILITIES = (
    "awk cat cut date grep egrep fgrep head jq sed sleep sort sudo sysctl tail tee tr uniq wc xargs logger bash sh sysctl brctl".split()
)
VALUES = (  # the first pattern that the lower-case name matches
    (r"(dev|iface|interface|ifname|nic|eth\d?|link|port|veth|tap)(name|_name)?$", "v0"),
    (r"mac|hwaddr|lladdr|ether", "02:00:00:00:00:07"),
    (r"mtu", "1400"),
    (r"table|tbl|rt_?id", "100"),
    (r"metric|pref|prio", "100"),
    (r"vlan|vid|tag|vni|mark", "10"),
    (r"netns|^ns|_ns|namespace|node|host", "blue"),
    (r"vrf", "red"),
    (r"pid", "1"),
    (r"(ip|addr|net|prefix|subnet|gw|gateway|router|dst|dest|src).*6|6.*(ip|addr|net|prefix)", "2001:db8::7"),
    (r"cidr|prefix_?len|mask_?len|netmask|preflen|^mask|plen|bits", "24"),
    (r"subnet|network|prefix|^net|route|_net$", "10.9.0.0/24"),
    (r"gw|gateway|router|peer|remote|dst|dest|src|local|server|addr|ip", "10.0.0.7"),
    (r"opt|flag|arg|family|extra|quiet|null|redir|verb|sudo|cmd|proto$|scope", ""),
    (r"bridge|^br", "br0"),
    (r"bond|master", "bond0"),
    (r"dev|if|int|link|port|slave|nic|eth|tap|tun|veth|name|lo$", "v0"),
)


def value_of(name: str) -> str:
    lower = name.lower()
    return next((value for pattern, value in VALUES if re.search(pattern, lower)), "v0")


def with_values(text: str, assigned: frozenset[str] = frozenset()) -> str:
    """Variables that the line doesn't assign itself, and placeholders of formats, replaced."""

    def replaced(match: re.Match) -> str:
        name = match["braced"] or match["plain"]
        return match[0] if name in assigned else value_of(name) if not name.isdigit() else "v0"

    def outside(text: str) -> str:
        return re.sub(r"(?<!\\)\"?\$[@*]\"?", "", VARIABLE.sub(replaced, text))

    return "".join(part if part.startswith("'") else outside(part) for part in re.split(r"('[^']*')", text))


def formatted(text: str) -> str:
    """A string of Python, C, Perl …: %s, {}, {name}."""
    text = re.sub(r"%\((\w+)\)[sd]|\{(\w+)(?:[.\[!:][^{}]*)?\}", lambda m: value_of(m[1] or m[2]), text)
    before = lambda m: (re.findall(r"[\w-]+", text[: m.start()]) or ["v0"])[-1]  # noqa: E731
    after = {"dev": "v0", "via": "10.0.0.7", "address": "10.0.0.7", "table": "100", "mtu": "1400", "vid": "10", "add": "10.0.0.7/24"}
    text = re.sub(r"%-?\d*l?[sdu]|\{\d?\}", lambda m: after.get(before(m), value_of(before(m))), text)
    return with_values(text)


def sequence(match: re.Match) -> str:
    words = [match[1]]
    for word in re.findall(r"""\"[^\"]*\"|'[^']*'|[\w.()\[\]]+""", match[2]):
        words.append(shlex.quote(word[1:-1]) if word[0] in "\"'" else value_of(word.rsplit(".", 1)[-1]))
    return " ".join(words)


def logical_lines(text: str) -> Iterator[str]:
    for line in text.replace("\\\n", " ").split("\n"):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield re.sub(r"\s+", " ", stripped) if "'" not in stripped and '"' not in stripped else stripped


def is_complete(line: str) -> bool:
    return subprocess.run(["bash", "-n", "-c", line], capture_output=True, check=False).returncode == 0


def pieces(line: str) -> list[str]:
    """The parts between &&, || and ; with what joins them, outside of quotes and parentheses."""
    found, start, depth, quote, at = [], 0, 0, "", 0
    while at < len(line):
        char = line[at]
        if char == "\\":
            at += 1
        elif quote:
            quote = "" if char == quote else quote
        elif char in "'\"`":
            quote = char
        elif char in "({":
            depth += 1
        elif char in ")}":
            depth -= 1
        elif depth == 0 and (line[at : at + 2] in ("&&", "||") or char == ";"):
            size = 1 if char == ";" else 2
            found += [line[start:at], line[at : at + size]]
            at += size - 1
            start = at + 1
        at += 1
    return [*found, line[start:]]


def is_known(part: str) -> bool:
    """Its command isn't a function of the script's own."""
    words = part.strip().lstrip("!({ ").split()
    while words and re.match(r"^\w+=", words[0]):
        if "$(" in part or "`" in part or len(words) == 1:
            return True
        words.pop(0)
    first = words[0].rsplit("/", 1)[-1] if words else ""
    return first in BUILTINS or first in UTILITIES or first in ("ip", "bridge", "for", "if", "while")


def runnable(line: str) -> str | None:
    """What of a script's line a program could run; nothing: not to be told."""
    for word in CLOSED:
        if line.startswith(word + " "):
            line = line[len(word) :].split(CLOSED[word])[0]
    line = re.sub(r"^(then|do|else|\{) ", "", line.strip())
    line = re.sub(r"(&&|\|\||;|;;|[{}]|; then|; do|\bthen|\bdo|\bfi|;)\s*$", "", line.strip()).strip()
    line = PROGRAM.sub("ip", line)
    line = re.sub(r"^\w+\) ", "", line)
    # $IP behind a pipe, in $( and so on.
    line = re.sub(r"(?<=\$\()\"?\$\{?(IP|ip|IPROUTE)\}?\"?(?= )", "ip", line)
    assigned = frozenset(re.findall(r"(?:^|[;&|({ ])(\w+)=", line)) | frozenset(re.findall(r"\b(?:for|read(?: -r)?) (\w+)", line))
    line = with_values(line, assigned)
    if not is_complete(line):
        return None
    if not re.match(r"(for|if|while|case) ", line):
        parts = pieces(line)
        while len(parts) > 1 and not is_known(parts[0]):
            parts = parts[2:]
        kept = [parts[0]]
        for joint, part in zip(parts[1::2], parts[2::2], strict=True):
            if not is_known(part):
                break
            kept += [joint, part]
        line = "".join(kept).strip()
    words = line.split()
    if not words or words[0] in OWN or not TOOL.search(line) or not is_complete(line) or not is_known(line):
        return None
    return re.sub(r"^sudo (-\w+ )*", "", line)


def is_shell(text: str, path: Path) -> bool:
    first = text.split("\n", 1)[0]
    return bool(re.match(r"#!.*\b(ba|da|k|a)?sh\b", first)) or (path.suffix == ".sh" and not first.startswith("#!/usr/bin/env python"))


def lines_of(path: Path) -> Iterator[str]:
    try:
        text = path.read_text(errors="strict")
    except (UnicodeDecodeError, OSError):
        return
    if not TOOL.search(text) and not PROGRAM.search(text):
        return
    if is_shell(text, path):
        candidates = (runnable(line) for line in logical_lines(text) if re.search(r"\b(ip|bridge|IP|IPROUTE)\b", line))
    elif path.suffix in (".py", ".pl", ".pm", ".rb", ".lua", ".c", ".js", ".go") or re.match(r"#!.*(python|perl|ruby|lua)", text):
        strings = (re.sub(r"\s+", " ", match[2]).strip() for match in STRING.finditer(text))
        strings = [each for each in strings if not OTHER_GRAMMAR.search(each)] + [sequence(match) for match in SEQUENCE.finditer(text)]
        candidates = (formatted(re.sub(r"^sudo ", "", each)) for each in strings if TOOL.match(re.sub(r"^sudo ", "", each)))
        candidates = (each for each in candidates if VERB.search(each) and is_complete(each) and not each.rstrip().endswith((".", ":")))
    else:
        return
    yield from (each for each in candidates if each and "\t" not in each and "\n" not in each)


def unpack(archive: Path, folder: Path) -> None:
    if archive.suffix == ".deb":
        subprocess.run(["dpkg-deb", "-x", archive, folder], check=True)
        subprocess.run(["dpkg-deb", "-e", archive, folder / "DEBIAN"], check=True)
    else:
        subprocess.run(["tar", "-C", folder, "-xf", archive], check=True)


def collect(folder: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for archive in sorted(folder.iterdir()):
        package = archive.name.split("_")[0]
        with tempfile.TemporaryDirectory() as place:
            unpack(archive, Path(place))
            paths = (
                path
                for path in sorted(Path(place).rglob("*"))
                if path.is_file() and not path.is_symlink() and path.stat().st_size < 1 << 20
            )
            lines = list(dict.fromkeys(line for path in paths for line in lines_of(path)))
        if lines:
            found[package] = lines
    return found


def fetch(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in (HERE / "packages.txt").read_text().split():
        if (
            not list(folder.glob(f"{name}_*"))
            and subprocess.run(["apt-get", "download", name], cwd=folder, capture_output=True, check=False).returncode
        ):
            print(f"not in this Debian: {name}", file=sys.stderr)


def main() -> int:
    arguments = sys.argv[1:]
    if arguments[:1] == ["--fetch"]:
        fetch(Path(arguments.pop(1)) if shutil.which("apt-get") else sys.exit("no apt-get"))
        arguments = sys.argv[2:]
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    found = collect(Path(arguments[0]))
    with (HERE / "lines.tsv").open("w") as out:
        for package, lines in found.items():
            out.writelines(f"{package}\t{line}\n" for line in lines)
    print(f"{sum(map(len, found.values()))} lines of {len(found)} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
