"""How a suite's `ip` and `bridge` become nlsh's: rows of what is done before it, in the guest or namespace that it runs in."""

import os
from dataclasses import dataclass
from pathlib import Path

from runner import paths

# Callers in other mount namespaces are declined: the server is started where the suite is.
_SERVE = """
{nlsh} serve --socket {folder}/sock --log off $NLSH_SERVE_OPTIONS </dev/null >{folder}/server.log 2>&1 &
server=$!
until [ -S {folder}/sock.$(($(getconf _NPROCESSORS_CONF) - 1)) ]; do kill -0 $server || exit 97; sleep 0.02; done
"""
BUILTIN = paths.NLSH.parent / "nlsh-builtin.so"


@dataclass(frozen=True)
class Way:
    name: str
    before: str = ""  # shell commands
    environment: str = ""  # what the suite is started with, as env(1) takes it
    needs: Path | None = None  # a file of the build

    def script(self, folder: Path) -> tuple[str, str]:
        values = {"folder": folder, "nlsh": paths.NLSH, "preload": paths.PRELOAD, "builtin": BUILTIN}
        return self.before.format(**values), self.environment.format(**values)

    @property
    def missing(self) -> bool:
        return self.needs is not None and not os.path.exists(self.needs)


REAL = Way("real")
WAYS = {way.name: way for way in (
    Way("preload", _SERVE, "NLSH_SOCKET={folder}/sock NLSH_TIMEOUT_MS=20000 LD_PRELOAD={preload}"),
    Way("shim", "mkdir {folder}/bin; ln -s {nlsh} {folder}/bin/ip; ln -s {nlsh} {folder}/bin/bridge",
        "PATH={folder}/bin:$PATH"),
    Way("builtin", "echo 'enable -f {builtin} ip bridge' >{folder}/builtin", "BASH_ENV={folder}/builtin", needs=BUILTIN),
)}
