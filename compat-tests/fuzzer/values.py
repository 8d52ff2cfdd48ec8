"""Values of the grammar: mostly correct, sometimes wrong as a caller would write them."""

import os
import random
from dataclasses import dataclass


class Chance(random.Random):
    """A seeded random source with methods for the grammar."""

    def often(self, probability: float) -> bool:
        return self.random() < probability

    def of(self, *choices):
        return self.choice(choices)


@dataclass(frozen=True)
class OneOf:
    """Exactly one of some items of a form."""

    items: tuple


# Only names after `netns`: the number in `netns 1` would move a link into the machine's own namespace.
NETNS = ("blue", "blue", "nope")
DEVICES = ("v0", "v1", "v2", "v3", "br0", "m0", "vx0", "vx1", "lo")
RARE_DEVICES = ("nope", "if2", "if99", "v0 ", "v0@v1", "averyveryverylongname", "alt0", "up", "dev", "b", "any", "")
ADDRESSES_4 = (
    "10.0.0.1",
    "10.0.0.2",
    "10.0.0.9",
    "192.0.2.1",
    "10.8",
    "0.0.0.0",
    "255.255.255.255",
    "224.0.0.5",
    "127.0.0.1",
    "010.0.0.1",
    "0x0a.0.0.3",
)
ADDRESSES_6 = ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::9", "fe80::1", "::", "::1", "ff02::1", "::ffff:10.0.0.1", "2001:DB8::A")
WRONG_ADDRESSES = ("10.0.0.256", "1.2.3.4.5", "10.0.0.1/", "2001:db8::g", "host", ":", "1.2.3.", "-1", "0", "")
NUMBERS = ("0", "1", "2", "7", "10", "100", "255", "256", "0x10", "010", "1500", "4094", "4095", "65535", "65536")
WRONG_NUMBERS = ("-1", "+1", "4294967295", "4294967296", "99999999999999999999", "abc", "1x", "", "0x", "1.5", " 1", "08", "1k", "NaN")
MACS = (
    "02:00:00:00:00:11",
    "02:00:00:00:00:22",
    "2:0:0:0:0:33",
    "00:00:00:00:00:00",
    "ff:ff:ff:ff:ff:ff",
    "01:00:5e:00:00:01",
    "02:AA:bb:00:00:44",
)
WRONG_MACS = (
    "02:00:00:00:00",
    "02:00:00:00:00:00:00",
    "02-00-00-00-00-11",
    "0200.0000.0011",
    "10.0.0.1",
    "zz",
    "02:00:00:00:00:1ff",
    ":",
    "",
)


# The share of wrong values; FUZZ_WRONG multiplies it (compat-tests/million).
WRONG_SHARE = 0.03 * float(os.environ.get("FUZZ_WRONG", "1"))


def wrong(chance: Chance) -> bool:
    return chance.often(WRONG_SHARE)


def device(chance: Chance) -> str:
    return chance.choice(RARE_DEVICES if wrong(chance) else DEVICES)


def new_name(chance: Chance) -> str:
    return chance.of("n0", "n1", "n2", "x.10", "Ethernet0", "n0-1")


def port(chance: Chance) -> str:
    return chance.of("v0", "v2", "v2", "br0") if chance.often(0.85) else device(chance)


def number(chance: Chance) -> str:
    return chance.choice(WRONG_NUMBERS if wrong(chance) else NUMBERS)


def mtu(chance: Chance) -> str:
    return number(chance) if chance.often(0.1) else chance.of("1400", "1500", "9000", "1280", "68")


def ttl(chance: Chance) -> str:
    return number(chance) if chance.often(0.1) else chance.of("64", "inherit", "0", "255", "auto", "1")


def small(chance: Chance) -> str:
    return number(chance) if chance.often(0.15) else str(chance.randint(0, 20))


def address_4(chance: Chance) -> str:
    return chance.choice(WRONG_ADDRESSES if wrong(chance) else ADDRESSES_4[:4] if chance.often(0.7) else ADDRESSES_4)


def address_6(chance: Chance) -> str:
    return chance.choice(WRONG_ADDRESSES if wrong(chance) else ADDRESSES_6[:4] if chance.often(0.7) else ADDRESSES_6)


def address(chance: Chance) -> str:
    return address_4(chance) if chance.often(0.6) else address_6(chance)


def prefix_4(chance: Chance) -> str:
    bits = (
        chance.of("", "/24", "/24", "/32", "/8", "/0", "/31")
        if not wrong(chance)
        else chance.of("/33", "/", "/255.255.255.0", "/0x18", "/-1", "/x", "/255.0.255.0")
    )
    base = chance.of("10.0.0.0", "10.1.0.0", "192.0.2.0") if chance.often(0.5) else address_4(chance)
    return base + bits


def prefix_6(chance: Chance) -> str:
    bits = chance.of("", "/64", "/64", "/128", "/0") if not wrong(chance) else chance.of("/129", "/", "/ffff::")
    return (chance.of("2001:db8::", "2001:db8:1::") if chance.often(0.5) else address_6(chance)) + bits


def prefix(chance: Chance) -> str:
    if chance.often(0.08):
        return chance.of("default", "any", "all", "default/0", "0/0", "::/0", "10/8", "def")
    return prefix_4(chance) if chance.often(0.6) else prefix_6(chance)


def mac(chance: Chance) -> str:
    return chance.choice(WRONG_MACS if wrong(chance) else MACS)


def switch(chance: Chance) -> str:
    return chance.of("o", "of", "ON", "1", "0", "yes", "") if wrong(chance) else chance.of("on", "off")


def bit(chance: Chance) -> str:
    return number(chance) if wrong(chance) else chance.of("0", "1")


def table(chance: Chance) -> str:
    return (
        number(chance)
        if chance.often(0.1)
        else chance.of("main", "local", "default", "all", "100", "254", "1000", "cache", "mai", "unspec", "0")
    )


def protocol(chance: Chance) -> str:
    return number(chance) if chance.often(0.1) else chance.of("kernel", "boot", "static", "bgp", "zebra", "186", "3", "nonesuch", "all")


def scope(chance: Chance) -> str:
    return number(chance) if chance.often(0.1) else chance.of("link", "global", "host", "site", "nowhere", "all", "253")


def tos(chance: Chance) -> str:
    return number(chance) if chance.often(0.1) else chance.of("0x10", "10", "lowdelay", "AF11", "CS1", "4", "1c", "0")


def group(chance: Chance) -> str:
    return number(chance) if chance.often(0.1) else chance.of("default", "0", "5", "7", "nogroup")


def lifetime(chance: Chance) -> str:
    return number(chance) if chance.often(0.1) else chance.of("forever", "3600", "7200", "0", "100000")


def vid(chance: Chance) -> str:
    if wrong(chance):
        return chance.of("0", "4095", "4096", "-1", "x", "10-", "20-10", "1-4095", "10-20-30", "")
    return chance.of("1", "10", "11", "10-20", "20-30", "100", "4094", "2-4094", "15")


def label(chance: Chance) -> str:
    return (
        chance.of("3", "0x10", "1048575", "1048576", "100/", "100/200/300", "x", "implicit-null", "")
        if chance.often(0.2)
        else chance.of("100", "200", "100/200", "16")
    )


def netns(chance: Chance) -> str:
    return chance.choice(NETNS)


def name(chance: Chance) -> str:
    return device(chance) if chance.often(0.1) else new_name(chance)


def choice(*words: str):
    return lambda chance: chance.choice(words)
