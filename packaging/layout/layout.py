#!/usr/bin/env python3
"""Which functions lie side by side in nlsh, so that a short command touches few pages of it.

layout.py order OUTPUT MAP STEPS PROGRAM LINES: of a program whose linker wrote MAP, the sections of code that the command lines of the
file LINES go through, in that order, as a linker script names them. STEPS is steps.c's program. Where nothing can be traced
(a container without namespaces, say) there are none, and a warning.

layout.py script OUTPUT ORDER LINKER…: the linker's own script (what LINKER… with -Wl,--verbose prints), with the sections of ORDER first.
"""

import bisect
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys

FIRST = "    *(.text.unlikely"  # of the code, in GNU ld's scripts
SECTION = re.compile(r"^ (\.text\S*)\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S+)$", re.MULTILINE)
MEMBER = re.compile(r"(?:.*/)?([^/]+\.a)\((.*)\)")


def sections(map_file):
    """(address, size, name, file) of each piece of code, by address."""
    with open(map_file, encoding="utf-8") as file:
        text = file.read().split("Linker script and memory map")[1]
    found = ((int(at, 16), int(size, 16), name, of) for name, at, size, of in SECTION.findall(text))
    return sorted(each for each in found if each[1] > 0)


def pattern(name, of):
    """Ours have a section for each function, and a name for each section; libc has an object file for each."""
    if name != ".text":
        return f"*({name})"
    member = MEMBER.fullmatch(of)
    return f"*{member[1]}:{member[2]}(.text)" if member else f"*{os.path.basename(of)}(.text)"


def order(map_file, steps, program, lines):
    """Its lines."""
    known = sections(map_file)
    starts = [section[0] for section in known]
    first, end = known[0][0], known[-1][0] + known[-1][1]
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "NLSH_ENGINE": "inproc"}
    found = {}
    with open(lines, encoding="utf-8") as file:
        commands = [shlex.split(line) for line in file if line.strip() and not line.startswith("#")]

    def follow(words):
        return subprocess.run([steps, f"{first:x}", f"{end:x}", program, *words], env=environment, capture_output=True, text=True)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        all_traced = list(pool.map(follow, commands))
    for words, traced in zip(commands, all_traced):
        if traced.returncode != 0:
            print(f"layout.py: {shlex.join(words)} can't be traced here: functions lie as they come", file=sys.stderr)
        for address in (int(line, 16) for line in traced.stdout.split()):
            at, size, name, of = known[bisect.bisect(starts, address) - 1]
            if address < at + size:
                found[pattern(name, of)] = True
    return found


def script(order_file, *linker):
    """Its lines."""
    printed = subprocess.run([*linker, "-Wl,--verbose"], capture_output=True, text=True).stdout
    default = printed.split("=" * 50)[1]
    with open(order_file, encoding="utf-8") as file:
        ours = [f"    {line}" for line in file.read().splitlines()]
    before, after = default.split(FIRST, 1)
    return [before, *ours, FIRST + after]


def main():
    what, output, *rest = sys.argv[1:]
    made = "\n".join({"order": order, "script": script}[what](*rest))
    with open(output, "w", encoding="utf-8") as file:
        print(made, file=file)


main()
