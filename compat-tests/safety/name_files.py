"""Generates hostile name files for /etc/iproute2 (and /usr/share/iproute2, /usr/lib/iproute2), and lines that use them."""

import os
import random
import shlex
import shutil
from pathlib import Path

OWN, SHARED = "/etc/iproute2", ("/usr/share/iproute2", "/usr/lib/iproute2")
FILES = ("rt_protos", "rt_tables", "rt_scopes", "rt_dsfield", "rt_realms", "group", "rt_addrprotos")
WITH_DIRECTORY = ("rt_protos", "rt_tables", "rt_addrprotos", "protodown_reasons", "rt_scopes")

NUMBERS = (1, 7, 16, 77, 200, 255, 256, 300, 333)  # the numbers that the state uses; 77 and 333 share a hash chain
_NAMES = ("seven", "siete", "blue", "main", "kernel", "a#b", "x\xe9", "-7", "7", "0x10", "77", "default", "n" * 70)
_BUILT_IN = ("2 kernel", "2 kern", "254 main", "254 haupt", "0 default", "0 nix", "255 local", "253 link", "4 static", "254 static")
_BLANKS = (" ",) * 6 + ("\t", "\v", "\f", "\r", "  ")
_ENDS = ("\n",) * 8 + ("\r\n", " \n", "\t# remark\n", "#remark\n", " more words\n", "\v\n", "\0\n", "\0 x\n")
_CORRUPTED = ("\v# remark", "\r", "\f", "7", "seven", "0x", "7\n blue", "300.5 blue", "7 ", "7 \0")
_WHOLE = (
    "",
    "# remark",
    " \t# remark",
    "\0",
    "\0 7 hidden",
    "7 #",
    "0x zz",
    "7blue",
    "0x10seven",
    "0xseven",
    "# " + "x" * 505,
    "# " + "x" * 507 + "7 late",
    "# " + "x" * 520,
    " " * 508 + "7 far",
    " " * 515 + "7 far",
    "7 " + "y" * 505,
    "7 " + "y" * 520,
    "7" + " " * 520 + "far",
)


def _number(chance: random.Random) -> str:
    number = chance.choice((7, 77, 300, 333) * 5 + NUMBERS)
    forms = (
        (str(number),) * 8
        + (f"0x{number:x}",) * 4
        + (
            f"+{number}",
            f"-{number}",
            f"0{number}",
            f"0X{number:X}",
            f"0x0x{number:x}",
            f"0x-{number:x}",
            f"0x {number:x}",
            str(number + (1 << 32)),
            str(number + (1 << 64)),
            f"0x{number + (1 << 32):x}",
            "0x1" + "0" * 16,
            "99999999999999999999",
            "4294967295",
            "2147483647",
            "2147483648",
        )
    )
    return chance.choice(forms)


def _line(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.005:
        return chance.choice(_CORRUPTED) + chance.choice(("\n", "\r\n", ""))
    if kind < 0.05:
        return chance.choice(_WHOLE) + chance.choice(_ENDS)
    if kind < 0.06:
        return chance.choice(_BUILT_IN) + chance.choice(_ENDS)
    before = chance.choice(("",) * 12 + _BLANKS)
    return before + _number(chance) + chance.choice(_BLANKS) + chance.choice(_NAMES) + chance.choice(_ENDS)


def _text(chance: random.Random) -> bytes:
    return "".join(_line(chance) for _ in range(chance.choice((0, 1, 1, 2, 4)))).encode("latin-1")


def _put(path: Path, chance: random.Random):
    """Writes a file, or puts another object in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kind = chance.random()
    if kind < 0.03:
        path.mkdir()
    elif kind < 0.05:
        path.symlink_to(chance.choice(("nowhere", path.name, "/dev/null", "target")))
        if os.readlink(path) == "target":
            (path.parent / "target").write_bytes(_text(chance))
    else:
        path.write_bytes(_text(chance))


def clear(place: str):
    for entry in os.scandir(place):
        shutil.rmtree(entry.path) if entry.is_dir(follow_symlinks=False) else os.unlink(entry.path)


def fill(place: str, chance: random.Random):
    """Puts new files into a directory."""
    clear(place)
    for name in FILES:
        if chance.random() < 0.3:
            _put(Path(place, name), chance)
    for name in WITH_DIRECTORY:
        if chance.random() < 0.15:
            for extra in chance.sample(("a.conf", "b.conf", ".conf", ".hidden.conf", "c.conf.old", "d"), 2):
                _put(Path(place, name + ".d", extra), chance)


# The state to show: a route, an address, a rule, a neighbour and a nexthop with each number.
SETUP = (
    """
ip link set lo up group 77
ip link add v0 type veth peer name v1
ip link set v0 up group 333
ip link set v1 up group 77
ip addr add 10.9.0.1/24 dev v0 scope 77
ip addr add 10.9.1.1/24 dev v0 scope 200
""".split("\n")
    + [
        f"ip route add 10.{n & 255}.{n >> 8}.0/24 dev lo table {n} proto {n & 255} scope {(n & 255) % 255} tos {n & 28:#x} realm {n & 255}/{(n + 1) & 255}"
        for n in NUMBERS
    ]
    + [f"ip rule add pref {n} tos {n & 28:#x} table {n} protocol {n & 255}" for n in NUMBERS]
    + [f"ip nexthop add id {n} dev lo protocol {n & 255}" for n in NUMBERS]
)

_SHOWS = (
    "ip route show table all",
    "ip rule show",
    "ip addr show",
    "ip link show",
    "ip -6 route show table all",
    "ip nexthop show",
    "ip -N route show table all",
    "ip -j route show table all",
    "ip -d link show v0",
    "ip -6 addr show",
    "ip route show table local",
)
_BY_NAME = (
    "ip route show table {}",
    "ip route show table all proto {}",
    "ip route show table all scope {}",
    "ip rule show table {}",
    "ip link show group {}",
    "ip route show table all realm {}",
    "ip addr show scope {}",
    "ip nexthop show protocol {}",
    "ip route show table all tos {}",
    "ip rule show protocol {}",
    "ip rule show tos {}",
    "ip addr show group {}",
    "ip route get 10.9.0.7 tos {}",
    "ip route show table all proto {0} scope {0}",
    "ip rule show pref 7 table {0} tos {0}",
)


def lines(chance: random.Random, count: int) -> list[str]:
    words = [shlex.quote(word) for word in _NAMES if "\xe9" not in word] + [
        "seven#remark",
        "7seven",
        "y" * 505,
        "far",
        "hidden",
        "x10",
        "300",
    ]
    return [chance.choice(_SHOWS) if chance.random() < 0.5 else chance.choice(_BY_NAME).format(chance.choice(words)) for _ in range(count)]
