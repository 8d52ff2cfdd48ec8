"""Random shell lines: from a grammar that is a little larger than nlsh's, and by mutation of existing lines.

They name only /dev/null and files below /proc/sys/net, and no command that changes anything else."""

import shlex
from pathlib import Path

from fuzzer.values import Chance
from shell.filters import FILTERS, quoted

HERE = Path(__file__).resolve().parent
TEXTS = (
    "a",
    "b",
    "abc",
    "eth0",
    "lo",
    "10.0.0.1",
    "1",
    "2",
    "42",
    "-1",
    "x=y",
    "a:b:c",
    "foo-bar",
    "A",
    "inet",
    "#",
    "a#b",
    "-n",
    "-e",
    "--",
    "-ne",
    "--help",
    "=",
    "!=",
    "-eq",
    "%",
    "%s",
    "0",
    "00:11:22:33:44:55",
    "]",
    "}",
    "fi",
    "then",
    "if",
    "!",
    "+",
    "@",
    ",",
    "/",
    "é",
    "\\n",
    "\\t",
    "\\061",
    "\\u00e9",
    "\\c",
    "\\x41",
)
SPECIAL = "'\"\\$`;&|<>(){}!#~*?[]=\n\t %^-0a"
NAMES = ("x", "y", "ret", "vlanShow")
BLANKS = (" ", " ", " ", " ", " ", "  ", "\t", " \\\n")
INPUTS = (
    'printf "a\\nb\\n"',
    'printf "1 2 3\\n4 5 6\\n"',
    'printf "a:b:c\\nd:e:f"',
    "echo a b c",
    'echo "a  b"',
    'printf "b\\na\\nb\\nc\\n"',
    'printf "eth0\\neth10\\nlo\\n"',
    'printf "  a\\tb  c \\n\\nx\\n"',
    "true",
    'printf ""',
    'printf "10.0.0.0/8 dev eth0 src 10.0.0.1\\n"',
    'printf "aXbX\\nXX\\n"',
    "ip -br link show lo",
    "ip -o address show lo",
    "ip route show table all",
    "ip rule",
    "bridge fdb show",
)
TESTS = (
    ("-n", 1),
    ("-z", 1),
    ("!", 1),
    ("", 1),
    ("-e", 0),
    ("-f", 0),
    ("-d", 0),
    ("=", 2),
    ("!=", 2),
    ("==", 2),
    ("-eq", 2),
    ("-ne", 2),
    ("-lt", 2),
    ("-le", 2),
    ("-gt", 2),
    ("-ge", 2),
    ("-a", 2),
    ("<", 2),
)
REDIRECTIONS = (
    ">/dev/null",
    "> /dev/null",
    "2>/dev/null",
    "2>&1",
    ">&2",
    "1>&2",
    ">/dev/null 2>&1",
    "2>&1 >/dev/null",
    "&>/dev/null",
    ">>/dev/null",
    "2>>/dev/null",
    "> /proc/sys/net/ipv4/ip_forward",
    "> /proc/sys/net/ipv4/nosuch",
    "3>&1",
    "2>&-",
    "</dev/null",
    ">&1",
)
TOOLS = (
    "ip link set lo up",
    "ip link set nosuch up",
    "ip -br link show lo",
    "ip link show nosuch",
    "ip addr add 127.0.0.2/8 dev lo",
    "ip addr del 127.0.0.2/8 dev lo",
    "/sbin/ip route show",
    "bridge link",
    "ip neigh show dev lo",
    "ip link help",
    "ip -j rule",
    "ip nosuch",
    "sysctl -n net.ipv4.ip_forward",
    "sysctl -w net.ipv4.ip_forward=1",
    "sysctl net.ipv4.nosuch",
    "sysctl -qw net.ipv4.ip_forward=0",
    "ip netns exec blue sh -c 'ip link set lo up; ip -br link show lo'",
    "ip netns exec blue bash -c 'echo a; ip link show nosuch'",
    "ip netns exec blue ip -br link show lo",
    "ip netns exec nosuch sh -c 'echo a'",
    "nsenter --net=/run/netns/blue ip -br link show lo",
    "nsenter --net=/run/netns/nosuch ip link",
    "ip route flush cache",
)
PATTERNS = ("a*", "*b", "?", "*", "a", '"a"*', "[ab]", "'*'", "*:*", "\\*", "+(a)", "a\\ b")
CONDITION_REGEXES = ("^a", "b$", "^a.*c$", "[0-9]+", "(a|b)", "a\\ b", '"a."', "[[:space:]]", "x?", "^$", "\\.", "a{2}", "[^ ]+", "$x")


class Generator:
    """Lines of one seed. `corpus`: lines to mutate."""

    def __init__(self, seed: str, corpus: list[str]):
        self.chance = Chance(seed)
        self.corpus = corpus
        self.assigned: list[str] = []
        self.depth = 0

    def line(self) -> str:
        way = self.chance.random()
        self.assigned, self.depth = [], 0
        if way < 0.08:  # later commands can't fall back any more
            line = "ip link set lo up; " + self.commands()
            return f"bash -c {shlex.quote(line)}" if self.chance.often(0.5) else line
        if way < 0.5:
            return self.commands()
        if way < 0.6:
            return self.chance.of("bash", "sh", "/bin/bash", "/bin/sh") + " -c " + quoted(self.chance, self.commands())
        return self.mutant(self.commands() if way < 0.75 else self.chance.choice(self.corpus))

    def mutant(self, line: str) -> str:
        for _ in range(self.chance.randint(1, 4)):
            start = self.chance.randrange(len(line) + 1)
            end = min(len(line), start + self.chance.of(0, 0, 1, 1, 2, 8))
            other = self.chance.choice(self.corpus)
            at = self.chance.randrange(len(other) + 1)
            piece = self.chance.of(
                "",
                self.chance.choice(SPECIAL),
                self.chance.choice(SPECIAL),
                line[start:end] * 2,
                other[at : at + 12],
                self.chance.choice(TEXTS),
                f" {self.chance.choice(REDIRECTIONS)} ",
            )
            line = line[:start] + piece + line[end:]
        return line.replace("\0", "")

    def commands(self) -> str:
        self.depth += 1
        text = self.pipeline()
        while self.chance.often(0.35) and self.depth < 5:
            text += self.chance.of(" && ", " || ", "; ", ";", "\n", "&&", " ||\n", " ; ", "; # c\n") + self.pipeline()
        self.depth -= 1
        return text + self.chance.of("", "", "", "", "; echo $?", " # c", ";", "\n", " ")

    def pipeline(self) -> str:
        if self.depth < 4 and self.chance.often(0.15):
            text = self.compound()
        elif self.chance.often(0.45):
            text = self.chance.choice(INPUTS) if self.chance.often(0.8) else self.simple()
            for _ in range(self.chance.of(1, 1, 1, 2, 3)):
                text += self.chance.of(" | ", "|", " |\n", " | ") + self.filter()
        else:
            text = self.simple()
        return ("! " if self.chance.often(0.06) else "") + text

    def compound(self) -> str:
        kind = self.chance.randrange(7)
        if kind >= 4:
            text = self.loop(kind)
        elif kind == 0:
            text = f"({self.commands()}\n)" if self.chance.often(0.3) else f"( {self.pipeline()} )"
        elif kind == 1:
            text = f"{{ {self.pipeline()}; }}"
        elif kind == 2:
            otherwise = f"else {self.pipeline()}; " if self.chance.often(0.5) else ""
            text = f"if {self.pipeline()}; then {self.pipeline()}; {otherwise}fi"
        else:
            text = f"{self.chance.of('bash', 'sh')} -c {quoted(self.chance, self.commands())}"
        return text + self.redirection(0.2)

    def loop(self, kind: int) -> str:
        name = self.chance.choice(NAMES)
        self.depth += 1
        if kind == 4:  # a loop over known words
            words = " ".join(self.word() for _ in range(self.chance.of(1, 2, 2, 3, 0)))
        elif kind == 5:
            words = self.chance.of("$(", "`") + self.chance.choice(INPUTS)
            words += ")" if words.startswith("$(") else "`"
        if kind == 6:
            names = self.chance.of("x", "x y", "-r x", "-r x y", "x y ret", "", "-a x", "1x")
            head = f"{self.chance.choice(INPUTS)} | while read {names}"
            self.assigned += ["x", "y"]
        else:
            head = f"for {name} in {words}"
            self.assigned.append(name)
        text = f"{head}{self.chance.of('; ', ';', chr(10))}do {self.pipeline()}{self.chance.of('; ', ';', chr(10))}"
        if self.chance.often(0.3):
            text += self.pipeline() + "; "
        self.depth -= 1
        return text + "done"

    def filter(self) -> str:
        name = self.chance.choice(list(FILTERS))
        words = [word for word in FILTERS[name](self.chance) if word]
        path = self.chance.of("", "", "", "/bin/", "/usr/bin/")
        return path + " ".join([name, *words]) + self.redirection(0.05)

    def simple(self) -> str:
        kind = self.chance.random()
        if kind < 0.35:
            words = ["echo", *self.words(0, 4)]
        elif kind < 0.45:
            words = [
                "printf",
                quoted(self.chance, self.chance.of("%s\\n", "%s %s\\n", "a\\n", "%d\\n", "%%", "\\t%s|", "%s", "a\\\\b", "%x", "\\101")),
                *self.words(0, 3),
            ]
        elif kind < 0.6:
            words = self.test()
        elif kind < 0.72:
            words = [
                self.chance.of("true", "false", ":", "exit", "exit 3", "exit $?", "/bin/true", "/bin/false", "exit 300", "/bin/echo -n a")
            ]
        elif kind < 0.83:
            words = [self.assignment()]
        elif kind < 0.86:
            words = ["set", self.chance.of("--", "--", "--", "-e", ""), *self.words(0, 3), self.chance.of("", "$(echo a b)", "`echo c`")]
            self.assigned += ["1", "2", "#"]
        else:
            words = [self.chance.choice(TOOLS)]
        return self.blank().join(words) + self.redirection(0.12)

    def condition(self) -> list[str]:
        """A condition of bash. For dash, which has no [[, the words are an unknown command."""
        word = self.word()
        kind = self.chance.randrange(6)
        if kind == 0:
            words = [self.chance.of("-n", "-z"), word]
        elif kind == 1:
            words = [word, self.chance.of("==", "=", "!="), self.word()]
        elif kind in (2, 3):
            words = [word, self.chance.of("==", "!="), self.chance.choice(PATTERNS)]
        elif kind == 4:
            words = [word, "=~", self.chance.choice(CONDITION_REGEXES)]
        else:
            words = [word, self.chance.of("", "-eq 1", "&& a", "< b")]
        return ["[[", *(["!"] if self.chance.often(0.1) else []), *words, "]]"]

    def test(self) -> list[str]:
        if self.chance.often(0.3):
            return self.condition()
        operator, operands = self.chance.choice(TESTS)
        if operands == 0:
            words = [operator, self.chance.of("/proc/sys/net", "/proc/sys/net/ipv4/ip_forward", "/proc/sys/net/nosuch", "/")]
        elif operands == 1:
            words = [operator, self.word()] if operator else [self.word()]
        else:
            words = [self.word(), operator, self.word()]
        if self.chance.often(0.1):
            words.insert(0, "!")
        return ["test", *words] if self.chance.often(0.3) else ["[", *words, "]"]

    def assignment(self) -> str:
        name = self.chance.choice(NAMES)
        value = self.chance.of(
            "", "1", "'a  b'", '"a b"', f"$({self.pipeline()})" if self.depth < 4 else "c", self.word(), f'"$({self.simple_source()})"'
        )
        self.assigned.append(name)
        return f"{name}={value}"

    def simple_source(self) -> str:
        return self.chance.choice(INPUTS)

    def blank(self) -> str:
        return self.chance.choice(BLANKS)

    def words(self, least: int, most: int) -> list[str]:
        return [self.word() for _ in range(self.chance.randint(least, most))]

    def word(self) -> str:
        return "".join(self.piece() for _ in range(self.chance.of(1, 1, 1, 2, 3)))

    def piece(self) -> str:
        way = self.chance.random()
        text = self.chance.choice(TEXTS)
        if way < 0.4:
            return text
        if way < 0.52:
            return f"'{text}'"
        if way < 0.64:
            inner = self.chance.of(text, f"{text} {text}", "\\$", '\\"', "\\\\", "\\a", "'", self.variable(), f"{text}{self.variable()} ")
            return f'"{inner}"'
        if way < 0.72:
            return "\\" + self.chance.choice(SPECIAL)
        if way < 0.94 or self.depth >= 4:
            return self.variable()
        self.depth += 1
        text = self.pipeline()
        self.depth -= 1
        if "`" not in text and self.chance.often(0.3):
            text = text.replace("\\", "\\\\").replace("$", "\\$")
            return self.chance.of(f"`{text}`", f'"`{text}`"')
        return self.chance.of(f"$({text})", f'"$({text})"')

    def variable(self) -> str:
        name = (
            self.chance.choice(self.assigned)
            if self.assigned and self.chance.often(0.95)
            else self.chance.of("?", "?", "?", "x", "HOME", "1")
        )
        return self.chance.of(f"${name}", f"${name}", f"${{{name}}}")

    def redirection(self, probability: float) -> str:
        return " " + self.chance.choice(REDIRECTIONS) if self.chance.often(probability) else ""


def corpus(folder: str | None = None) -> list[str]:
    """Lines to mutate: those of the tests, and findings of the shell's fuzzer (whose first byte isn't part of the line). Excludes lines
    that make links, because their addresses are random."""
    lines = [line.replace("⏎", "\n") for line in (HERE / "lines.txt").read_text().splitlines() if line and line[0] not in "%#"]
    if folder:
        found = [path.read_bytes()[1:2000] for path in sorted(Path(folder).iterdir())]
        lines += [text.replace(b"\0", b"").decode("utf-8", "surrogateescape") for text in found if b"type" not in text]
    return [line for line in lines if line]
