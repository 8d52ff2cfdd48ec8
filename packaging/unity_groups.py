#!/usr/bin/env python3
"""unity_groups.py ROOT FILE…: which sources are compiled together in a unity build, as lines "GROUP FILE".

In one unit, a name of one source's unnamed namespace must mean nothing else in another. So two sources come into one group
only if neither has a name there that the other, or a header that it includes, declares or calls. This is too careful now and
then, which costs a second of compiling.
"""

import pathlib
import re
import sys

LARGEST = 10  # sources in a group: there shall be enough groups for all processors
UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace\n", re.MULTILINE | re.DOTALL)
TYPE = re.compile(r"^(?:(?:struct|class|union|enum(?: class)?)\s+(?:\[\[\w+\]\]\s+)?|using\s+)(\w+)", re.MULTILINE)
FUNCTION = re.compile(r"^(?!(?:struct|class|union|enum|using)\b)[A-Za-z_][^\n=;(]*?\b(\w+)\(", re.MULTILINE)
VALUE = re.compile(r"^(?!(?:struct|class|union|enum|using)\b)[A-Za-z_][^\n(=;{]*?\b(\w+)(?:\[[^\]\n]*\])*\s*(?:=|\{|;|\()", re.MULTILINE)
# Not `Type name(`, which in a class declares a member.
CALL = re.compile(r"(?<![\w.:>~])(?<!\w )(?<!\w> )(?<![\w>][&*] )([A-Za-z_]\w*)\(")
BEFORE_CALL = re.compile(r"\b(?:return|throw|case|else|co_return|new) ")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def plain(text):
    """Without comments and the contents of literals."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', lambda found: '""' if found[0][0] == '"' else "", text, flags=re.DOTALL)


def declared(text):
    """The names that are declared where nothing is indented: in namespaces (.clang-format)."""
    return {match[1] for pattern in (TYPE, FUNCTION, VALUE) for match in pattern.finditer(text)}


class Sources:
    def __init__(self, root):
        self.root, self.met, self.json = root, {}, {}

    def text(self, name):
        path = self.root / name
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def uses_json(self, name):
        """The header takes longest to compile, so its users go together."""
        if name not in self.json:
            text = self.text(name)
            self.json[name] = "nlohmann" in text or any(map(self.uses_json, INCLUDE.findall(text)))
        return self.json[name]

    def own(self, name):
        """The names of its unnamed namespaces."""
        return declared("".join(plain(body[1]) for body in UNNAMED.finditer(self.text(name))))

    def names(self, name):
        """What it and its headers declare and call."""
        if name not in self.met:
            self.met[name] = set()  # of a circle
            text = self.text(name)
            found = declared(plain(text)) | set(CALL.findall(BEFORE_CALL.sub("", plain(text))))
            self.met[name] = found.union(*map(self.names, INCLUDE.findall(text)))
        return self.met[name]


def main():
    root = pathlib.Path(sys.argv[1])
    sources, groups = Sources(root), []
    for name in sorted(sys.argv[2:], key=lambda name: (not sources.uses_json(name), name)):
        own, names = sources.own(name), sources.names(name)
        for files, all_own, all_names in groups:
            if len(files) < LARGEST and not own & all_names and not names & all_own:
                break
        else:
            files, all_own, all_names = [], set(), set()
            groups.append((files, all_own, all_names))
        files.append(name)
        all_own |= own
        all_names |= names
    for number, (files, _, _) in enumerate(groups):
        for name in files:
            print(number, name)


if __name__ == "__main__":
    main()
