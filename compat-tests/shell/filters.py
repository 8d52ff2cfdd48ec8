"""Random arguments of filters: grep, sed, awk and others."""

import shlex

from fuzzer.values import Chance

REGEXES = (
    "a",
    "b",
    "^a",
    "c$",
    ".",
    "^$",
    "[a-z]",
    "[^ ]*",
    "[0-9]+",
    "e*",
    "a\\|b",
    "a|b",
    "\\(a\\)",
    "(a)",
    "\\.",
    "X",
    "x",
    "eth[0-9]",
    "a\\{1\\}",
    "a{2}",
    "\\<a",
    "b\\b",
    "\\w",
    "",
    "-",
    "*",
    "[[:digit:]]",
    "(^|:)b",
    "a\\+",
    "[",
    "\\s",
    "\\S*",
)
COUNTS = ("1", "2", "0", "5", "-1", "+2", "x", "")
FILTERS = {
    "grep": lambda c: (
        [
            c.of("", "", "-q", "-v", "-c", "-o", "-i", "-w", "-x", "-E", "-F", "-n", "-vc", "-oE", "-iw", "-e", "-m1", "-h", "-P", "-s"),
            quoted(c, c.choice(REGEXES)),
            c.of("", "", "", "", "-", "-v"),
        ]
        if c.often(0.6)
        else [c.of("-P", "-oP", "-oP", "-Po", "-qP", "-cP", "-vP", "-iP", "-oiP", "-P -o", "-wP"), quoted(c, perl_regex(c))]
    ),
    "egrep": lambda c: [quoted(c, c.choice(REGEXES))],
    "fgrep": lambda c: [quoted(c, c.choice(REGEXES))],
    "sed": lambda c: [c.of("", "", "-n", "-E", "-r", "-e", "-nE"), quoted(c, sed_script(c))],
    "awk": lambda c: [
        c.of("", "", "-F:", "-F ' '", "-F,", "-F '\\t'", "-F.", "-F '|'", "-F'[ :]'", "-F '[b:]+'", "-F'[^a]'"),
        c.of("", "", "-v name=a", "-vname=b", "-v name=1", "-v name='a b' -v other=x", "-v NR=2", "-v 'name=a\\tb'"),
        quoted(c, awk_script(c)),
    ],
    "cut": lambda c: [
        c.of("", "-d:", "-d ' '", "-d' '", "-sd:", "-d ,"),
        c.of("-f", "-f ", "-c", "-b") + c.of("1", "2", "1,3", "2-", "-2", "0", "9", "3-1", "1-2,2-3"),
    ],
    "head": lambda c: [c.of("-n ", "-n", "-", "-c ", "-c", "--lines=") + c.choice(COUNTS)],
    "tail": lambda c: [c.of("-n ", "-n", "-", "-c ", "-c", "+") + c.choice(COUNTS)],
    "wc": lambda c: [c.of("", "-l", "-w", "-c", "-lw", "-lc", "-L", "-m")],
    "sort": lambda c: [c.of("", "-u", "-r", "-n", "-rn", "-nu", "-k2", "-f")],
    "uniq": lambda c: [c.of("", "-c", "-d", "-u", "-i")],
    "tr": lambda c: [
        c.of("", "", "-d", "-s", "-cd", "-ds"),
        quoted(c, c.of("a-z", " ", "\\n", "abc", "[:lower:]", "0-9", "-", ":", "z-a")),
        c.of("", quoted(c, c.of("A-Z", "\\n", " ", "xy", "[:upper:]", "_"))),
    ],
    "cat": lambda c: [c.of("", "-", "-n", "-A")],
}


def quoted(chance: Chance, text: str) -> str:
    way = chance.random()
    if way < 0.5:
        return shlex.quote(text)
    if way < 0.8:
        return '"' + text.replace('"', '\\"') + '"'
    return text


def sed_script(chance: Chance) -> str:
    pattern = chance.choice(REGEXES)
    edge = chance.of("/", "/", "/", "|", ",")
    address = chance.of("", "", "", "1", "2", "$", "/a/", "/b/!", "1!", "0", "1,2")
    if chance.often(0.6):
        change = chance.of("", "x", "&", "[&]", "\\1", "\\n", "\\2 \\1")
        return f"{address}s{edge}{pattern}{edge}{change}{edge}{chance.of('', '', 'g', 'p', '2', 'I', 'gp', 'e', 'x')}"
    return address + chance.of("p", "d", "q", "y/a/b/", "p;p", "=", "n")


AWK_TESTS = (
    "/a/",
    "!/a/",
    "NR==1",
    "NR==2",
    "/b/",
    "NR>1",
    "NR<=2",
    "NR!=2",
    "NF==3",
    "NF>1",
    '$1=="a"',
    '$1 != "b"',
    "$2~/b/",
    "$2 !~ /[0-9]/",
    "$NF ~ /c$/",
    '$0 == ""',
    "$1==1",
    "$1==name",
    '$1=="1"',
    "NR==1,NR==2",
    "!$1",
    "(NR==1)",
)


AWK_VALUES = (
    "$1",
    "$2",
    "$NF",
    "$0",
    "$1,$2",
    '$1 ":" $2',
    "$1 $2",
    "$9",
    "NR",
    "NF",
    "NR, NF",
    'NR": "$0',
    "name",
    "name $1",
    "other",
    "$(1)",
    "$1+1",
    '"a\\tb"',
    "-1",
)


def awk_statement(chance: Chance) -> str:
    return chance.of(
        f"print {chance.choice(AWK_VALUES)}",
        f"print {chance.choice(AWK_VALUES)}",
        f"print({chance.choice(AWK_VALUES)})",
        "print",
        f'printf "%s\\n", {chance.choice(AWK_VALUES)}',
        f'printf("%s,%s;", {chance.choice(AWK_VALUES)}, $1)',
        'printf "x%%"',
        "printf $1",
        "next",
        "exit",
        f"if ({chance.choice(AWK_TESTS)}) print {chance.choice(AWK_VALUES)}",
        f"if ({chance.choice(AWK_TESTS)}) {{ print {chance.choice(AWK_VALUES)}; exit }}",
        "x=1",
    )


def awk_rule(chance: Chance) -> str:
    condition = chance.of(
        "",
        "",
        chance.choice(AWK_TESTS),
        chance.choice(AWK_TESTS),
        f"{chance.choice(AWK_TESTS)} && {chance.choice(AWK_TESTS)}",
        f"{chance.choice(AWK_TESTS)}||{chance.choice(AWK_TESTS)}",
    )
    statements = chance.of("; ", ";", "\n").join(awk_statement(chance) for _ in range(chance.of(1, 1, 1, 2, 3)))
    blank = chance.of("", " ")
    return chance.of(f"{condition}{blank}{{{blank}{statements}{blank}}}", f"{condition}{{{statements};}}", condition)


def awk_script(chance: Chance) -> str:
    return chance.of("", " ", "; ", "\n").join(awk_rule(chance) for _ in range(chance.of(1, 1, 1, 2)))


PERL_ATOMS = tuple("a b c . [a-z] [^:] \\w \\d \\s \\S [\\d.] eth \\. : 1 (a|ab) (?:b|c) \\W".split()) + ("[^ ]",)
PERL_REPEATS = ("", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{2,}", "++")
PERL_STARTS = ("", "", "", "^", "(?<=a)", "(?<=b )", "(?<!a)", "\\b", "a\\K", "(?<=inet )", "eth\\K", "(?=b)")
PERL_ENDS = ("", "", "", "$", "\\b", "(?=b)", "(?= )", "(?!c)", "\\K")


def perl_regex(chance: Chance) -> str:
    pieces = [chance.choice(PERL_ATOMS) + chance.choice(PERL_REPEATS) for _ in range(chance.of(1, 1, 2, 3, 4))]
    body = "".join(pieces[:3]) + "".join(f"|{piece}" for piece in pieces[3:])
    return chance.choice(PERL_STARTS) + body + chance.choice(PERL_ENDS)
