"""Runs the driver in an environment: one function for each kind of place. Called on the machine that the test has booted."""

import contextlib
import json
import os
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from . import image, oci
from .rows import Row

PYTHON = ["/usr/bin/python3", "-I", "-B"]
DRIVER = "/" + image.SCRIPT
SECONDS = 60
IMAGES = Path("/srv/images")  # two roots: one of root's, and the same files owned by 100000 ("remapped")


class CouldNot(Exception):
    """This machine can't make the environment; has the reason."""


@dataclass(frozen=True)
class Cell:
    row: Row
    spec: dict
    name: str  # unique; also the network namespace's

    def enter(self) -> list[str]:
        return ["nsenter", "--net=/run/netns/" + self.name]

    def driver(self, **more) -> list[str]:
        return [*PYTHON, DRIVER, json.dumps(self.spec | more)]


def _run(words: list[str], **options) -> str:
    """Runs the words and returns their output. A failed start means that the environment failed."""
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, cwd="/", **options)
    except FileNotFoundError:
        raise CouldNot(f"{words[0]} isn't installed") from None
    except subprocess.TimeoutExpired:
        raise CouldNot(f"took more than {SECONDS} s") from None
    if not done.stdout.strip():
        raise CouldNot(f"status {done.returncode}: {done.stderr.strip()[-400:]}")
    return done.stdout


def host(cell: Cell) -> str:
    return _run([*cell.enter(), *cell.row.settings, *cell.driver()])


def unit(cell: Cell) -> str:
    properties = [word for setting in cell.row.settings for word in ("-p", setting)]
    return _run(
        [
            "systemd-run",
            "--quiet",
            "--wait",
            "--pipe",
            "--collect",
            "-p",
            "NetworkNamespacePath=/run/netns/" + cell.name,
            *properties,
            *cell.driver(),
        ]
    )


@contextlib.contextmanager
def _bundle(cell: Cell, words: list[str], **settings):
    """Yields runc's words for a container, and removes the container at the end."""
    settings = dict(cell.row.settings) | settings
    container = settings["container"]
    with tempfile.TemporaryDirectory(dir="/srv") as bundle:
        root = IMAGES / ("remapped" if settings.get("remapped") else "root")
        Path(bundle, "config.json").write_text(json.dumps(oci.config(root, words, settings)))
        os.chmod(bundle, 0o755)
        try:
            yield [*cell.enter(), "runc", "run", "--bundle", bundle, container]
        finally:
            subprocess.run(["runc", "delete", "--force", container], capture_output=True)


def _sidecar(cell: Cell) -> str:
    """Two containers of a pod with shareProcessNamespace, of which one runs the server."""
    with (
        tempfile.TemporaryDirectory(dir="/srv") as shared,
        _bundle(cell, ["nlsh", "serve"], container=cell.name + "-server", binds={"/run/nlsh": shared}) as words,
    ):
        os.chmod(shared, 0o755)
        server = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            state = {}
            until = time.monotonic() + 10
            while state.get("status") != "running" and time.monotonic() < until:
                asked = subprocess.run(["runc", "state", cell.name + "-server"], capture_output=True, text=True).stdout
                state = json.loads(asked or "{}")
            with _bundle(
                cell,
                cell.driver(wait_for="/run/nlsh/nlsh.sock.0"),
                container=cell.name,
                binds={"/run/nlsh": shared},
                join_pid=f"/proc/{state.get('pid')}/ns/pid",
            ) as words:
                return _run(words)
        finally:
            subprocess.run(["runc", "kill", cell.name + "-server", "KILL"], capture_output=True)
            server.communicate()


def container(cell: Cell) -> str:
    if cell.row.server == "sidecar":
        return _sidecar(cell)
    binds = {"/run/nlsh": "/run/nlsh"} if cell.row.server == "machine" else {}
    with _bundle(cell, cell.driver(), container=cell.name, binds=binds) as words:
        return _run(words)


_making = threading.Lock()


def _podman_home() -> Path:
    folder = Path("/srv/podman")
    with _making:
        if not folder.exists():
            subprocess.run(["useradd", "--no-create-home", "--home-dir", str(folder), "podman"], check=True)
            folder.mkdir()
            subprocess.run(["cp", "-a", str(IMAGES / "root"), str(folder / "root")], check=True)
            (folder / "run").mkdir(mode=0o700)
            subprocess.run(["chown", "-hR", "podman:podman", str(folder)], check=True)
    return folder


def podman(cell: Cell) -> str:
    """Rootless: a user with subordinate ids."""
    folder = _podman_home()
    user = ["runuser", "-u", "podman", "--", "env", f"HOME={folder}", f"XDG_RUNTIME_DIR={folder}/run"]
    start = "podman --cgroup-manager=cgroupfs --events-backend=none --runtime=crun run --rm --quiet --log-driver=none".split()
    options = ["--network=none", "--cgroups=disabled", "--cap-add=NET_ADMIN", "--rootfs", str(folder / "root")]
    return _run([*user, *start, *options, *cell.driver()])


def nspawn(cell: Cell) -> str:
    root = IMAGES / ("remapped" if any("users" in word for word in cell.row.settings) else "root")
    with _making:  # podman locks the root
        unit = "systemd-run --quiet --wait --pipe --collect -p Delegate=yes".split()
        nspawn = "systemd-nspawn --quiet --register=no --keep-unit --as-pid2 --pipe".split()
        return _run([*unit, *nspawn, "--machine=" + cell.name, "--directory", str(root), *cell.row.settings, *cell.driver()])


LXC = """\
lxc.include = /usr/share/lxc/config/common.conf
lxc.uts.name = {name}
lxc.rootfs.path = dir:{root}
lxc.apparmor.profile = unconfined
lxc.mount.auto =
lxc.mount.auto = {proc} sys:mixed
lxc.mount.entry = {folder} srv/out none bind,create=dir 0 0
lxc.net.0.type = {net}
lxc.init.cmd = {command} /srv/out/spec
"""


def lxc(cell: Cell) -> str:
    proc, *remapped = cell.row.settings
    with tempfile.TemporaryDirectory(dir="/srv") as folder:
        out = Path(folder, "out")
        out.mkdir()
        os.chmod(folder, 0o755)
        out.joinpath("spec").write_text(json.dumps(cell.spec | {"output": "/srv/out/result"}))
        text = LXC.format(
            name=cell.name,
            root=IMAGES / ("remapped" if remapped else "root"),
            proc=proc,
            folder=out,
            net="empty" if remapped else "none",
            command=" ".join([*PYTHON, DRIVER]),
        )
        if remapped:
            os.chown(out, 100000, 100000)
            text += "lxc.idmap = u 0 100000 65536\nlxc.idmap = g 0 100000 65536\n"
        config = Path(folder, "config")
        config.write_text(text)
        log = Path(folder, "log")
        done = subprocess.run(
            [*cell.enter(), "lxc-start", "-F", "-n", cell.name, "-P", folder, "-f", str(config), "-o", str(log), "-l", "INFO"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        result = out / "result"
        if not result.exists():
            raise CouldNot("lxc-start: " + (done.stderr or done.stdout or (log.read_text() if log.exists() else ""))[-600:])
        return result.read_text()


def _chroot_folder() -> Path:
    root = Path("/srv/chroot")
    with _making:
        if not root.exists():
            root.mkdir()
            for words in (
                ["--bind", str(IMAGES / "root"), str(root)],
                ["-t", "proc", "proc", str(root / "proc")],
                ["--rbind", "/dev", str(root / "dev")],
                ["-t", "tmpfs", "tmpfs", str(root / "run")],
                ["--mkdir", "--bind", "/run/nlsh", str(root / "run/nlsh")],
            ):
                subprocess.run(["mount", *words], check=True)
    return root


def chroot(cell: Cell) -> str:
    return _run([*cell.enter(), "chroot", str(_chroot_folder()), *cell.driver()])


def bubblewrap(cell: Cell) -> str:
    user = ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups"] if "--unshare-user" in cell.row.settings else []
    sandbox = "bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --unshare-pid".split()
    return _run([*cell.enter(), *user, *sandbox, *cell.row.settings, *cell.driver()])


PLACES = {
    "host": host,
    "unit": unit,
    "oci": container,
    "podman": podman,
    "nspawn": nspawn,
    "lxc": lxc,
    "chroot": chroot,
    "bubblewrap": bubblewrap,
}
