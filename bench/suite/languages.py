"""bench/languages: how many times faster each row of packaging/docs/exec.md's table of languages is, measured in one run."""

import argparse
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from . import measurement
from .ways import COMMAND, QUOTED, WAYS, Way, compiled, python, row, script, shell

DOCUMENT = measurement.BENCH.parent / "packaging" / "docs" / "exec.md"
JAVA = f"""public class Loop {{
    public static void main(String[] words) throws Exception {{
        for (int i = Integer.parseInt(words[0]); i > 0; --i) new ProcessBuilder({QUOTED}).inheritIO().start().waitFor();
    }}
}}
"""
RUST = f"""fn main() {{
    for _ in 0..std::env::args().nth(1).unwrap().parse::<u32>().unwrap() {{
        std::process::Command::new("ip").args([{QUOTED}][1..].iter()).status().unwrap();
    }}
}}
"""
GO = f"""package main
import ("os"; "os/exec"; "strconv")
func main() {{
    for left, _ := strconv.Atoi(os.Args[1]); left > 0; left-- {{
        if exec.Command({QUOTED}).Run() != nil {{ os.Exit(1) }}
    }}
}}
"""


def built(name, source, *compiler, runner=()):
    """Compiles a program, once. Its argument says how often it runs the command."""

    def program(directory, times, _):
        file = directory / name
        if not file.exists():
            file.write_text(source, encoding="utf-8")
            measurement.run(*compiler, name, cwd=directory, env={**os.environ, "GO111MODULE": "off"})
        return [*(word.format(directory=directory) for word in runner or ["{directory}/" + file.stem]), str(times)]

    return program


def job(way, preloaded):
    """A shell's line that cron starts; the job has the preload, cron doesn't."""
    words = f"sh -c '{way.line}'"
    ours = " ".join(f"{name}={preloaded[name]}" for name in ("LD_PRELOAD", "NLSH_SOCKET"))
    return {"plain": (words, dict(os.environ)), "nlsh": (f"{ours} {words}", dict(os.environ))}


def in_path(way, preloaded):
    """Puts a directory with nlsh's ip into PATH, beside the server's sockets."""
    directory = pathlib.Path(preloaded["NLSH_SOCKET"]).parent
    (directory / "ip").exists() or (directory / "ip").symlink_to(measurement.NLSH)
    return {"plain": (way.line, dict(os.environ)), "nlsh": (way.line, {**os.environ, "PATH": f"{directory}:{os.environ['PATH']}"})}


def known(*names):
    """Rows of bench/run ways."""
    return tuple(way for way in WAYS if way.name in names)


def loop(name, text, *runner):
    return Way(name, script(*runner)(lambda times, line: text.replace("TIMES", str(times)).replace("LINE", line)))


# The programs that measure a row, by the row's first words.
LANGUAGES = {
    "C: `popen`": (Way("C system", compiled("system")), Way("C popen", compiled("popen"))),
    "C: `fork`": (Way("C fork", compiled("fork")), Way("C vfork", compiled("vfork"))),
    "C: `posix_spawn`": known("posix_spawn"),
    "scripts of dash": known("sh (dash) script", "bash script", "busybox sh script"),
    "scripts of bash, by": known("bash script, builtin"),
    "Python: `os.system`": (Way("Python os.system", python(f"os.system({COMMAND!r})")),),
    "Python: `subprocess`": (
        *known("Python subprocess", "Python subprocess, shell=True"),
        Way("Python os.popen", python(f"os.popen({COMMAND!r}).read()")),
    ),
    "Perl": (*known("Perl system"), loop("Perl backticks", "`LINE` for 1..TIMES;\n", "perl")),
    "Ruby": (
        loop("Ruby system, words", f"TIMES.times {{ system({QUOTED}) }}\n", "ruby"),
        loop("Ruby backticks", "TIMES.times { `LINE` }\n", "ruby"),
    ),
    "Lua": (*known("Lua os.execute"), loop("Lua io.popen", 'for i = 1, TIMES do io.popen("LINE"):close() end\n', "lua5.4")),
    "PHP: `system`": known("PHP exec"),
    "PHP: `proc_open`": (
        loop("PHP proc_open", f"<?php for ($i = 0; $i < TIMES; $i++) proc_close(proc_open([{QUOTED}], [], $pipes));\n", "php"),
    ),
    "node": (
        loop("node spawnSync", f'for (let i = 0; i < TIMES; i++) require("child_process").spawnSync("ip", [{QUOTED}].slice(1));\n', "node"),
    ),
    "Java": (Way("Java", built("Loop.java", JAVA, "javac", runner=("java", "-cp", "{directory}", "Loop"))),),
    "Rust": (Way("Rust", built("rust.rs", RUST, "rustc")),),
    "mawk": known("awk (mawk) system"),
    "make": known("make"),
    "Tcl": (loop("Tcl exec", "for {set i 0} {$i < TIMES} {incr i} { exec LINE }\n", "tclsh"),),
    "`env`": tuple(
        dataclasses.replace(Way(f"{word} in dash", shell("dash")), line=f"{word} {COMMAND}") for word in ("env", "timeout 9", "setsid -w")
    ),
    "cron": (Way("sh -c LINE, a job", compiled("vfork"), by=job),),
    "Go": (Way("Go, nlsh's ip in PATH", built("go.go", GO, "go", "build"), by=in_path),),
}


def installed(way):
    needs = {"Java": "javac", "Rust": "rustc", "Go, nlsh's ip in PATH": "go"}.get(way.name)
    try:
        with tempfile.TemporaryDirectory() as directory:
            needs = needs or way.program(pathlib.Path(directory), 0, way.line)[0]
    except OSError:
        return False
    return shutil.which(needs) is not None


def text_of(value):
    return f"{value:.1f}" if value < 20 else f"{value:.0f}"


def measured(ways, preloaded, times, rounds):
    """The cell: the smallest and the largest ratio of the row's programs; empty if none is installed."""
    ratios = []
    for way in filter(installed, ways):
        columns = {name: value for name, value in way.by(way, preloaded).items() if name != "floor"}
        with tempfile.TemporaryDirectory(prefix="nlsh-bench-") as directory:
            took = row(dataclasses.replace(way, by=lambda *_, columns=columns: columns), pathlib.Path(directory), preloaded, times, rounds)[
                "ways"
            ]
        ratios.append(took["plain"]["median"] / took["nlsh"]["median"])
        print(
            f"{way.name}: plain {took['plain']['median']:.0f} µs, nlsh {took['nlsh']['median']:.0f} µs, {text_of(ratios[-1])} times",
            flush=True,
        )
    ends = [text_of(value) for value in sorted(ratios)]
    return " to ".join(dict.fromkeys([ends[0], ends[-1]])) if ends else ""


def filled(document, cells):
    """The document with these cells at the ends of its table's rows."""
    lines = document.splitlines(keepends=True)
    for number, line in enumerate(lines):
        for start, cell in cells.items():
            if cell and line.startswith(f"| {start}"):
                lines[number] = re.sub(r"\| [^|]* \|\n$", f"| {cell} |\n", line)
    return "".join(lines)


def inside(quick, write):
    times, rounds = measurement.size(quick, (200, 7), (40, 3), (3, 1))
    with measurement.server() as preloaded:
        cells = {start: measured(ways, preloaded, times, rounds) for start, ways in LANGUAGES.items()}
    text = filled(DOCUMENT.read_text(encoding="utf-8"), cells)
    print("\n".join(line for line in text.splitlines() if line.startswith(tuple(f"| {start}" for start in LANGUAGES))))
    if write:
        DOCUMENT.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(prog="bench/languages", description=__doc__)
    parser.add_argument("--smoke", dest="quick", action="store_const", const="smoke", default=False, help="does everything run?")
    parser.add_argument("--quick", action="store_true", help="fewer calls")
    parser.add_argument("--write", action="store_true", help="fill the table in packaging/docs/exec.md; without: print its rows")
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.check:
        return 0
    if given.inside:
        return inside(given.quick, given.write)
    return subprocess.run(["unshare", "-nm", sys.executable, "-B", "-m", "suite.languages", "--inside", *sys.argv[1:]]).returncode


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    sys.exit(main())
