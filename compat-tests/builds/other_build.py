"""other_build.py TOOL [OLD NEW]: a copy of this machine's ip or bridge in ./tools, with a build id of its own.

NEW stands in place of OLD, filled up with NULs. Both are the text of Python bytes.
"""

import shutil
import subprocess
import sys
from pathlib import Path

_NOTE = b"\4\0\0\0\x14\0\0\0\3\0\0\0GNU\0"


def rename(tool: Path, old: bytes = b"", new: bytes = b""):
    """Gives the program another build id, and NEW in place of OLD."""
    data = tool.read_bytes()
    note = data.index(_NOTE) + len(_NOTE)
    data = data[:note] + bytes(byte ^ 0xFF for byte in data[note : note + 20]) + data[note + 20 :]
    if old:
        assert data.count(old) == 1 and len(new) <= len(old), (old, data.count(old))
        data = data.replace(old, new + bytes(len(old) - len(new)))
    tool.write_bytes(data)


def copy(tool: str, to: Path, old: bytes = b"", new: bytes = b""):
    """Of this machine's."""
    shutil.copy(shutil.which(tool, path="/usr/sbin:/usr/bin:/sbin:/bin") or tool, to)
    rename(to, old, new)
    to.chmod(0o755)


def compile_library(library: Path, source: str, options: tuple[str, ...] = ()):
    """The library of a source in this folder."""
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", *options, "-o", library, Path(__file__).with_name(source)], check=True)
    library.chmod(0o755)


def need(tool: Path, library: Path, root: Path = Path("/")):
    """Makes the tool need the library in the root in which it runs."""
    subprocess.run(["patchelf", "--add-needed", "/" / library.relative_to(root), tool], check=True)


def add_library(tool: Path, library: Path, source: str, options: tuple[str, ...] = (), root: Path = Path("/")):
    compile_library(library, source, options)
    need(tool, library, root)


def patch(bridge: Path, library: Path, options: tuple[str, ...] = (), root: Path = Path("/")):
    """SONiC's patch, played."""
    add_library(bridge, library, "protocols.c", options, root)


if __name__ == "__main__":
    texts = [eval("b'" + text + "'") for text in sys.argv[2:4]]
    copy(sys.argv[1], Path("tools", sys.argv[1]), *texts)
