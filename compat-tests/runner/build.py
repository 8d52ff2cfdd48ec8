"""Compiles the harness's own C programs when they are older than their sources."""

import subprocess

from . import paths


def _compile(name: str, libraries: list[str], *flags: str):
    source = paths.TESTS / f"{name}.c"
    program = paths.TOOLS / name
    if program.exists() and program.stat().st_mtime >= source.stat().st_mtime:
        return
    paths.TOOLS.mkdir(parents=True, exist_ok=True)
    words = []
    if libraries:
        words = subprocess.run(["pkg-config", "--cflags", "--libs", *libraries], check=True, capture_output=True, text=True).stdout.split()
    subprocess.run(["gcc", "-std=gnu17", "-O1", "-Wall", "-Wextra", "-o", program, source, *flags, *words], check=True)


def tools():
    _compile("client", [])
    _compile("witness", ["libnl-route-3.0"])
    _compile("forkserver", [], "-shared", "-fPIC")
    _compile("guest_registers", [], "-shared", "-fPIC")
