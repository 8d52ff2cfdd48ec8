"""The reference as a build that nobody has written down: copies of its tools under other build ids, qualified by recordings.
Its bridge may have SONiC's patch, played."""

import os
import subprocess
from pathlib import Path

from builds import other_build

from . import paths


def qualified(folder: Path, patched: bool = False, learn: str = "qualify") -> dict[str, str]:
    """The environment in which nlsh takes them for the real ones. What `nlsh qualify` (or another command that learns) says is
    printed."""
    tools, record = folder / "tools", folder / "record"
    for each in (folder, tools, record):
        each.mkdir(mode=0o755, exist_ok=True)
        each.chmod(0o755)
    environment = {"NLSH_BUILDS": str(record / "builds"), "PATH": f"{tools}:/usr/sbin:/usr/bin:/sbin:/bin"}
    for tool in ("ip", "bridge"):
        other_build.copy(tool, tools / tool)
        environment[f"NLSH_REAL_{tool.upper()}"] = str(tools / tool)
    if patched:
        other_build.patch(tools / "bridge", tools / "libprotocols.so")
    subprocess.run([paths.NLSH, learn], env=os.environ | environment, check=learn == "qualify")
    if patched:  # the reference, too, is another than this machine's
        os.environ["PATH"] = environment["PATH"]
    return environment
