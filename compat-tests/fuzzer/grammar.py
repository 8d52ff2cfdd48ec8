"""Command lines of ip and bridge from a grammar: right ones, abbreviated ones, wrong ones.

A form is (tool, object, verbs, items, weight); options that the form needs come before the object. Items are drawn in order: a string is a
keyword, a function returns a value, a tuple is an item that appears half of the time, a list is a set of items that appear in any number
and order, and a OneOf is a set of which one appears. Words that a verb refuses are as good a test as words that it accepts.
"""

import shlex

from . import forms_bridge, forms_inet, forms_link, forms_objects
from .values import Chance, OneOf

FORMS = [*forms_link.FORMS, *forms_inet.FORMS, *forms_objects.FORMS, *forms_bridge.FORMS]
WEIGHTS = [form[-1] for form in FORMS]

SHOW_OPTIONS = (
    "-j",
    "-j",
    "-p",
    "-d",
    "-d",
    "-s",
    "-s",
    "-o",
    "-br",
    "-4",
    "-6",
    "-N",
    "-h",
    "-iec",
    "-json",
    "-details",
    "-oneline",
    "-stats",
    "-pretty",
    "-f inet",
    "-family inet6",
    "-c",
    "-c",
    "-c=always",
    "-c=auto",
    "-color=never",
    "-0",
    "-brief",
    "--json",
    "-human",
    "-family bridge",
    "-a",
    "-t",
    "-ts",
    "-l 3",
    "-rc 100000",
    "-n nope",
    "-n blue",
    "-M",
    "-B",
    "-iec -h",
    "-fo",
    "-echo",
    "-s -s",
)
CHANGE_OPTIONS = (
    "-echo",
    "-echo",
    "-echo -j",
    "-echo -d -p -j",
    "-4",
    "-6",
    "-d",
    "-s",
    "-o",
    "-j",
    "-c=always",
    "-N",
    "-n blue",
    "-fo",
    "-t",
)
BRIDGE_SHOW_OPTIONS = (
    "-j",
    "-j",
    "-p",
    "-d",
    "-s",
    "-o",
    "-compressvlans",
    "-com",
    "-4",
    "-6",
    "-c",
    "-c=always",
    "-c=auto",
    "-t",
    "-n nope",
)


def _draw(item, chance: Chance, words: list[str]):
    if isinstance(item, str):
        words.append(item[: chance.randint(1, len(item))] if len(item) > 2 and chance.often(0.03) else item)
    elif callable(item):
        words.append(item(chance))
    elif isinstance(item, tuple):
        if chance.often(0.5):
            for part in item:
                _draw(part, chance, words)
    elif isinstance(item, OneOf):
        for part in chance.choice(item.items):
            _draw(part, chance, words)
    else:
        for group in chance.sample(item, min(len(item), chance.choices((0, 1, 2, 3, 4), (2, 5, 4, 2, 1))[0])):
            for part in group if isinstance(group, tuple) else (group,):
                _draw(part, chance, words)


def _spoil(words: list[str], chance: Chance):
    """Makes a typing error: drops, doubles, swaps or replaces a word. Keeps the object, because `ip monitor` never ends."""
    if len(words) < 2:
        return
    position = chance.randrange(1, len(words))
    what = chance.randrange(4)
    if what == 0:
        del words[position]
    elif what == 1:
        words.insert(position, words[position])
    elif what == 2:
        other = chance.randrange(1, len(words))
        words[position], words[other] = words[other], words[position]
    else:
        words.insert(position, chance.of("help", "x", "", "-j", "dev", "--", "on", "lo", "type", "é", "a b"))


def _words(chance: Chance, tool: str | None = None) -> tuple[str, str, list[str], list[str]]:
    """A tool, a verb, the options that the form needs, and the words of a command from its object on."""
    while True:
        drawn, thing, verbs, form, _ = chance.choices(FORMS, WEIGHTS)[0]
        if tool in (None, drawn):
            break
    verb = chance.choice(verbs)
    *options, thing = thing.split()
    words = [thing[: chance.randint(2 if thing == "rule" else 1, len(thing))] if chance.often(0.15) else thing]
    if verb:
        words.append(verb[: chance.randint(1, len(verb))] if chance.often(0.08) else verb)
        for item in form:
            _draw(item, chance, words)
    if chance.often(0.03) and "netns" not in words:  # values.py has the reason
        _spoil(words, chance)
    return drawn, verb, options, words


def _options(chance: Chance, tool: str, shows: bool) -> list[str]:
    options = []
    if chance.often(0.6 if shows else 0.1):
        pool = BRIDGE_SHOW_OPTIONS if tool == "bridge" else SHOW_OPTIONS if shows else CHANGE_OPTIONS
        for _ in range(chance.randint(1, 3) if shows else 1):
            options += chance.choice(pool).split()
    return options


def command(chance: Chance) -> str:
    tool, verb, needed, words = _words(chance)
    options = _options(chance, tool, verb in ("show", "list", "lst", "", "get"))
    if tool == "ip" and not needed and "-4" not in options and any(":" in word for word in words) and chance.often(0.5):
        options.append("-6")
    return shlex.join([tool, *options, *needed, *words])


def _batch_word(word: str) -> str:
    return word if word and not set(word) & set(" '\"#\\") else f"'{word}'"


def batch(chance: Chance) -> str:
    """A batch on standard input: its lines have quotes and comments, but no shell syntax."""
    tool = "bridge" if chance.often(0.25) else "ip"
    options = [*_options(chance, tool, True), *(["-force"] if chance.often(0.7) else [])]
    lines = [
        " ".join(map(_batch_word, _words(chance, tool)[3])) + chance.of("", "", "", " ", " # comment") for _ in range(chance.randint(2, 8))
    ]
    if chance.often(0.2):
        lines.insert(chance.randrange(len(lines)), chance.of("", "# nothing", "   ", "link show \\\n  lo"))
    return "\n".join([shlex.join([tool, *options, "-batch", "-"]) + " <<'END'", *lines, "END"])


def line(chance: Chance) -> str:
    """A command, sometimes within a shell line."""
    text = command(chance)
    if chance.often(0.9):
        return text
    second = command(chance)
    return chance.of(
        f"{text} && {second}",
        f"{text} || {second}",
        f"{text}; {second}",
        f"{text} 2>&1",
        f"{text} 2>/dev/null",
        f"{text}; echo $?",
        f"! {text}",
        f"{text} | grep -c v0",
        f"{text} | head -n 3",
        f"( {text}; {second} ) 2>&1",
        f"{text} | awk '{{print $2}}'",
        f"if {text}; then echo yes; else {second}; fi",
        f"{text} >/dev/null && echo ok",
        f"bash -c {shlex.quote(text + ' && ' + second)}",
        f"/bin/sh -c {shlex.quote(text)}",
        f'x=$({text}); echo $? "$x"',
        f"{text} | wc -l",
        f"{text} | sort | uniq",
        f"{{ {text}; {second}; }} 2>/dev/null | tail -n 2",
    )
