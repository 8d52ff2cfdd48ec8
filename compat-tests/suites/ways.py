"""The ways of putting nlsh under a suite: each row has the preparations in the suite's guest or namespace."""

import argparse
import os
from dataclasses import dataclass
from pathlib import Path

from runner import paths

# The server declines callers in other mount namespaces, so start it in the suite's own.
_SERVE = """
NLSH={nlsh}; . {serve}
serve {folder}/sock --log off </dev/null >{folder}/server.log 2>&1 || exit 97
"""
BUILTIN = paths.NLSH.parent / "builtin.bash"


@dataclass(frozen=True)
class Way:
    name: str
    before: str = ""  # shell commands
    environment: str = ""  # the suite's variables, as arguments of env(1)
    needs: Path | None = None  # a file that the build must have

    def script(self, folder: Path) -> tuple[str, str]:
        values = {"folder": folder, "nlsh": paths.NLSH, "preload": paths.PRELOAD, "builtin": BUILTIN, "serve": paths.SERVE}
        return self.before.format(**values), self.environment.format(**values)

    @property
    def missing(self) -> bool:
        return self.needs is not None and not os.path.exists(self.needs)


REAL = Way("real")
WAYS = {
    way.name: way
    for way in (
        Way("preload", _SERVE, "NLSH_SOCKET={folder}/sock NLSH_TIMEOUT_MS=20000 LD_PRELOAD={preload}"),
        Way("shim", "mkdir {folder}/bin; ln -s {nlsh} {folder}/bin/ip; ln -s {nlsh} {folder}/bin/bridge", "PATH={folder}/bin:$PATH"),
        Way("builtin", environment="BASH_ENV={builtin}", needs=BUILTIN),
    )
}


def add_option(parser: argparse.ArgumentParser):
    """Adds --by, which selects ways of this build."""
    parser.add_argument(
        "--by", type=_chosen, default="preload", metavar="WAYS", help=f"comma-separated, of {','.join(WAYS)} (default: %(default)s)"
    )


def _chosen(names: str) -> list[Way]:
    unknown = [name for name in names.split(",") if name not in WAYS]
    if unknown:
        raise argparse.ArgumentTypeError(f"{unknown[0]} isn't one of {','.join(WAYS)}")
    ways = [WAYS[name] for name in names.split(",")]
    missing = [way for way in ways if way.missing]
    if missing:
        raise argparse.ArgumentTypeError(f"{missing[0].name}: the build has no {missing[0].needs}")
    return ways
