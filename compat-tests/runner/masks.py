"""What may differ between two runs of the same iproute2: rules, each with its reason.

ALWAYS holds for every block and only for values that no program can make equal. OPTIONAL is named by a block
(`#: mask NAME`). Masks are applied only when the raw bytes differ, and such a line counts as masked.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Mask:
    reason: str
    pattern: re.Pattern
    replacement: bytes

    def apply(self, text: bytes) -> bytes:
        return self.pattern.sub(self.replacement, text)


@dataclass(frozen=True)
class Sorted:
    """The parts that match, wherever they stand, in alphabetical order."""

    reason: str
    pattern: re.Pattern

    def apply(self, text: bytes) -> bytes:
        parts = iter(sorted(self.pattern.findall(text)))
        return self.pattern.sub(lambda match: next(parts), text)


def _sorted(reason: str, pattern: str) -> Sorted:
    return Sorted(reason, re.compile(pattern.encode()))


def _mask(reason: str, pattern: str, replacement: str = r"\1*") -> Mask:
    return Mask(reason, re.compile(pattern.encode()), replacement.encode())


ALWAYS = {
    "bridge-timers": _mask(
        "the kernel's running bridge timers, in 1/100 s",
        r"((?<![a-z_])(?:hello_timer|tcn_timer|topology_change_timer|gc_timer|hold_timer|message_age_timer"
        r'|forward_delay_timer)"?[: ] *)[0-9.]+',
    ),
    "lifetimes": _mask(
        "seconds left of an address or a route",
        r"((?<![a-z_])(?:valid_lft|preferred_lft|expires) |\"(?:valid_life_time|preferred_life_time|expires)\": ?)"
        r"(?!0sec|0\b|4294967295)[0-9]+",
    ),
    "ages": _mask(
        "seconds since a neighbour or FDB entry was used, confirmed or updated",
        r'((?<![a-z_])used |"(?:used|updated|confirmed)": ?)[0-9]+(?:/[0-9]+)*',
    ),
    "probes": _mask("a running count of neighbour probes", r'((?<![a-z_])probes |"probes": ?)[0-9]+'),
    "idle-time": _mask("seconds since a nexthop bucket was used", r'((?<![a-z_])idle_time"?[: ] ?)[0-9.]+'),
    "multicast-neighbours": _mask(
        "neighbour entries that the kernel makes when it sends IGMP or MLD reports, which it does when it likes",
        r"(?m)^(?:inet6? )?(?:22[4-9]\.|23[0-9]\.|ff[0-9a-f]{2}:)\S* dev .* (?:NOARP|<noarp>) *\n"
        r'|\{"dst": ?"(?:22[4-9]\.|23[0-9]\.|ff[0-9a-f]{2}:)[^}]*"NOARP"\]\}(?:,|\n)?',
        "",
    ),
    "snoopers": _mask(
        "a bridge's own membership of the all-snoopers group, learned from a report that it sends when it likes",
        r"(?m)^dev \S+ port \S+ grp (?:ff02::6a|224\.0\.0\.106) temp.*\n"
        r'|\{"index":[0-9]+, ?"dev":"[^"]*", ?"port":"[^"]*", ?"grp":"(?:ff02::6a|224\.0\.0\.106)", ?"state":"temp"'
        r"[^}]*\}(?:, ?)?",
        "",
    ),
    "multicast-routes": _sorted(
        "the kernel makes ff00::/8 when a device's carrier is noticed: the devices' order is by chance",
        r"(?m)^(?:multicast|5) ff00::/8 dev .*$"
        r'|\{\s*"type": ?"(?:multicast|5)",\s*"dst": ?"ff00::/8"[^}]*\}',
    ),
    "neighbours": _sorted(
        "neighbours come in the order of a hash of the device's address in the kernel's memory",
        r"(?m)^[0-9a-f:.]+ .*(?:PERMANENT|NOARP|REACHABLE|STALE|DELAY|PROBE|INCOMPLETE|FAILED|proxy).*$"
        r"|^[0-9a-f:.]+ +\S+ +(?:[0-9a-f]{2}:){5}[0-9a-f]{2} *$"
        r'|\{"dst":"[^}]*"(?:state":\[[^\]]*\]|lladdr":"[^"]*")\}',
    ),
    "tunnel-addresses": _mask(
        "the permanent address that the kernel draws for a tunnel over IPv6",
        r'(permaddr"?[: ] ?"?)[0-9a-f]{1,4}:[0-9a-f]{1,4}:[0-9a-f]{1,4}::',
    ),
    "mdb-timers": _mask(
        "seconds left of a multicast group membership, of a source or a router port",
        r'(?m)((?<=": )" *(?=[0-9.]+")|(?<=":)" *(?=[0-9.]+")|/(?=[0-9.]+(?:,|\\| |$))'
        r"|(?<![:,]) {1,3}(?=[0-9.]+(?:$|\\| proto | temp$| permanent$)))[0-9]+\.[0-9]{2}",
    ),
    "reachable-times": _mask(
        "the kernel draws the reachable time of a device at random from its base", r'((?:^|\s)reachable |"reachable": ?)[0-9]+'
    ),
}

OPTIONAL = {
    "counters": _mask("packets that the kernel sends of itself (MLD, router solicitations)", r"(?<![0-9a-f:.])()[0-9]+(?![0-9a-f:.])"),
    "label-tos": _mask(
        "the TOS of a label's route, asked for: what the kernel's memory happened to hold",
        r'() tos (?:0x)?[0-9a-zA-Z]+|"tos": ?"[^"]*", ?',
        "",
    ),
    "pid": _mask("process ids", r"((?:pid|PID) )[0-9]+"),
    "neigh-state": _mask("neighbour states that move on by the kernel's timers", r"()(?:REACHABLE|STALE|DELAY|PROBE|INCOMPLETE|FAILED)"),
    "groups-joined": _mask(
        "IPv6 joins its groups on a device once the carrier is noticed, up to a second late",
        r'(?m)^\{"mac":"33:33:[^\n]*"flags":\["self"\][^\n]*\n?',
        "",
    ),
    "carrier": _mask(
        "a carrier is noticed up to a second late; for lines that can't be asked again",
        r'(?m)NO-CARRIER,|,LOWER_UP|,M-DOWN|"NO-CARRIER", ?|, ?"LOWER_UP"|, ?"M-DOWN"| linkdown\b|"linkdown",? ?'
        r'|(\bstate |^\S+ +|"operstate": ?")(?:\x1b\[[0-9;]*m)*(?:UP|DOWN|LOWERLAYERDOWN|UNKNOWN) *(?:\x1b\[[0-9;]*m)*',
        r"\1",
    ),
}


class Unordered:
    """For a block that prints tables which the kernel keeps in an order that random addresses decide."""

    reason = "IPv6 routes and neighbours come in an order that random addresses decide"

    def apply(self, text: bytes) -> bytes:
        return b"\n".join(sorted(text.split(b"\n")))


_MAC = re.compile(rb"(?<![0-9a-f:])(?:[0-9a-f]{1,2}:){5}[0-9a-f]{1,2}(?![0-9a-f:])")
_LINK_LOCAL = re.compile(rb"fe80::[0-9a-f:]+")
_SOLICITED = re.compile(rb"(?:ff02::1:ff[0-9a-f:]+|33:33:ff(?::[0-9a-f]{2}){3})")
_WELL_KNOWN = re.compile(rb"(?:00:){5}00|(?:ff:){5}ff|33:33:|01:00:5e|01:80:c2")


def _plain(mac: bytes) -> tuple:
    return tuple(int(part, 16) for part in mac.split(b":"))


class RandomMacs:
    """Hardware addresses that the kernel drew, and what is derived from them: all become <random>.

    An address that the block's own lines name isn't random. One that the kernel drew has the bits "locally
    administered, unicast" in its first byte; everything else stays as it is.
    """

    reason = "hardware addresses drawn by the kernel, and the IPv6 addresses derived from them"

    def __init__(self, block_text: bytes):
        self.text = block_text.lower()
        self.named = {_plain(mac) for mac in _MAC.findall(self.text)}

    def _mac(self, match: re.Match) -> bytes:
        mac = _plain(match.group())
        drawn = mac[0] & 3 == 2 and mac not in self.named
        return b"<random>" if drawn and not _WELL_KNOWN.match(match.group()) else match.group()

    def _derived(self, match: re.Match) -> bytes:
        if match.group() in self.text:
            return match.group()
        named = any(match.group() == link_local(mac) for mac in self.named)
        return match.group() if named else b"<random>"

    def _solicited(self, match: re.Match) -> bytes:
        low = bytes(match.group())[-4:]
        return match.group() if low in self.text else b"<random>"

    def apply(self, text: bytes) -> bytes:
        # Bridge ids are written without padding, `8000.2:11:22:33:44:3`.
        text = re.sub(rb"(?<=[0-9a-f]{4}\.)" + _MAC.pattern, self._mac, text)
        text = _SOLICITED.sub(self._solicited, text)
        text = _MAC.sub(self._mac, text)
        return _LINK_LOCAL.sub(self._derived, text)


def link_local(mac: tuple) -> bytes:
    """The EUI-64 address of a hardware address, as inet_ntop writes it when no group of zeros is within."""
    import ipaddress

    eui = bytes([0xFE, 0x80] + [0] * 6 + [mac[0] ^ 2, mac[1], mac[2], 0xFF, 0xFE, mac[3], mac[4], mac[5]])
    return str(ipaddress.IPv6Address(eui)).encode()


OPTIONAL["unordered"] = Unordered()


class Masks:
    """The rules of one block."""

    def __init__(self, block_text: bytes, names: list[str]):
        self.rules = [*ALWAYS.values(), RandomMacs(block_text), *(OPTIONAL[name] for name in names)]

    def apply(self, text: bytes) -> bytes:
        for rule in self.rules:
            text = rule.apply(text)
        return text
