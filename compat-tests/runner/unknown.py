"""The reference as a build that nobody has written down: copies of its tools under other build ids, qualified by recordings.
Its bridge may have SONiC's patch, played."""

import os
import shutil
import subprocess
from pathlib import Path

from . import paths

_NOTE = b"\4\0\0\0\x14\0\0\0\3\0\0\0GNU\0"


def _patch(tool: Path):
    library = tool.with_name("libprotocols.so")
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", library, paths.TESTS / "builds" / "protocols.c"], check=True)
    library.chmod(0o755)
    subprocess.run(["patchelf", "--add-needed", library, tool], check=True)


def _copy(tool: str, folder: Path, patched: bool):
    shutil.copy(shutil.which(tool, path="/usr/sbin:/usr/bin:/sbin:/bin") or tool, folder / tool)
    if patched:
        _patch(folder / tool)
    data = bytearray((folder / tool).read_bytes())
    note = data.index(_NOTE) + len(_NOTE)
    for place in range(note, note + 20):
        data[place] ^= 0xFF
    (folder / tool).write_bytes(data)
    (folder / tool).chmod(0o755)


def qualified(folder: Path, patched: bool = False, learn: str = "qualify") -> dict[str, str]:
    """The environment in which nlsh takes them for the real ones. What `nlsh qualify` (or another command that learns) says is
    printed."""
    tools, record = folder / "tools", folder / "record"
    for each in (folder, tools, record):
        each.mkdir(mode=0o755, exist_ok=True)
        each.chmod(0o755)
    environment = {"NLSH_BUILDS": str(record / "builds"), "PATH": f"{tools}:/usr/sbin:/usr/bin:/sbin:/bin"}
    for tool in ("ip", "bridge"):
        _copy(tool, tools, patched and tool == "bridge")
        environment[f"NLSH_REAL_{tool.upper()}"] = str(tools / tool)
    subprocess.run([paths.NLSH, learn], env=os.environ | environment, check=learn == "qualify")
    if patched:  # the reference, too, is another than this machine's
        os.environ["PATH"] = environment["PATH"]
    return environment
