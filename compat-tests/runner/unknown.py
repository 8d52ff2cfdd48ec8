"""The reference as a build that nobody has written down: copies of its tools under other build ids, qualified by recordings.
Its bridge may have SONiC's patch, played."""

import os
import subprocess
from pathlib import Path

from builds import other_build

from . import paths


def make_tools(folder: Path, patched: bool = False):
    tools, record = folder / "tools", folder / "record"
    for each in (folder, tools, record):
        each.mkdir(mode=0o755, exist_ok=True)
        each.chmod(0o755)
    for tool in ("ip", "bridge"):
        other_build.copy(tool, tools / tool)
    if patched:
        other_build.patch(tools / "bridge", _library(folder))
    for tool in ("ip", "bridge"):
        os.utime(tools / tool, (0, 0))  # in a guest its time has whole seconds; it is a part of the build's key


def make(folder: Path, patched: bool = False) -> Path:
    """Makes and qualifies them. What `nlsh qualify` says is printed."""
    make_tools(folder, patched)
    subprocess.run([paths.NLSH, "qualify"], env=os.environ | environment(folder), check=True)
    if patched:  # features are looked for in this one
        os.environ["PATH"] = environment(folder)["PATH"]
    return folder


def _library(folder: Path) -> Path:
    return folder / "tools" / "libprotocols.so"


def is_patched(folder: Path) -> bool:
    return _library(folder).exists()


def environment(folder: Path) -> dict[str, str]:
    """In which nlsh takes them for the real ones."""
    tools = folder / "tools"
    return {
        "NLSH_BUILDS": str(folder / "record" / "qualified"),
        "PATH": f"{tools}:/usr/sbin:/usr/bin:/sbin:/bin",
        "NLSH_REAL_IP": str(tools / "ip"),
        "NLSH_REAL_BRIDGE": str(tools / "bridge"),
    }
