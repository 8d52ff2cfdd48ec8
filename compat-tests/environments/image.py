"""A container's root: a folder with nlsh, the machine's own programs, and their libraries."""

import os
import re
import shutil
import subprocess
from pathlib import Path

PROGRAMS = "sh dash bash env cat echo grep wc sleep ip bridge brctl sysctl python3 nlsh init.lxc".split()
# Patterns below /, which are copied as they are.
TREES = (
    *"etc/iproute2 usr/lib/iproute2 etc/passwd etc/group etc/ld.so.cache etc/ld.so.conf etc/ld.so.conf.d".split(),
    *"usr/lib/nlsh usr/lib/*/nlsh usr/lib/*/libnlsh.so* usr/lib/python3/dist-packages/nlsh usr/libexec/nlsh".split(),
)
PYTHON = "usr/lib/python3.[0-9]*"
FOLDERS = ("proc", "sys", "dev", "dev/net", "run", "tmp", "var/tmp", "root", "srv", "home")
SCRIPT = "srv/driver.py"


def _libraries(path: Path) -> set[str]:
    said = subprocess.run(["ldd", path], capture_output=True, text=True).stdout
    return set(re.findall(r"(/\S+) \(0x", said))


def _copy(source: Path, root: Path) -> None:
    """Copies the file, and the targets of its links, under their own names."""
    target = root / str(source).lstrip("/")
    if target.exists() or target.is_symlink():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_symlink():
        os.symlink(os.readlink(source), target)
        _copy(Path(os.path.normpath(source.parent / os.readlink(source))), root)
    elif source.is_dir():
        shutil.copytree(
            source,
            target,
            symlinks=True,
            dirs_exist_ok=True,
            ignore=shutil.ignore_patterns("test", "__pycache__", "config-*", "dist-packages"),
        )
    else:
        shutil.copy2(source, target)


def make(root: Path, owner: int = 0) -> Path:
    """Makes a new root, in which user and group `owner` own everything."""
    for name in ("bin", "sbin", "lib", "lib64"):
        (root / "usr" / name).mkdir(parents=True)
        (root / name).symlink_to("usr/" + name)
    for name in FOLDERS:
        (root / name).mkdir(parents=True)
    files = {Path(found) for name in PROGRAMS if (found := shutil.which(name, path="/usr/sbin:/usr/bin"))}
    for pattern in (*TREES, PYTHON):
        files |= set(Path("/").glob(pattern))
    for file in list(files):
        inside = [file] if file.is_file() else [*file.rglob("*.so"), *file.rglob("*.so.*")]
        for binary in inside:
            files |= {
                Path("/usr") / library.lstrip("/") if not library.startswith("/usr") else Path(library) for library in _libraries(binary)
            }
    for file in sorted(files):
        _copy(file, root)
    shutil.copy(Path(__file__).with_name("driver.py"), root / SCRIPT)
    (root / "tmp").chmod(0o1777)
    if owner:
        subprocess.run(["chown", "-hR", f"{owner}:{owner}", root], check=True)
    return root
