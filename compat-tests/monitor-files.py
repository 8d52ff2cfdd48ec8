"""Writes files of rtnetlink messages, in rtmon(8)'s format, to this folder: messages that our kernels don't send."""

import socket
import struct

RTM_NEWADDR, RTM_NEWROUTE, RTM_DELROUTE, RTM_NEWPREFIX, RTM_NEWSTATS = 20, 24, 25, 52, 92
MULTICAST, IPMR, IP6MR = 5, 128, 129


def attribute(number, value):
    return struct.pack("HH", 4 + len(value), number) + value + b"\0" * (-len(value) % 4)


def word(number, value):
    return attribute(number, struct.pack("I", value))


def message(number, body):
    return struct.pack("IHHII", 16 + len(body), number, 0, 1, 0) + body


def prefix(flags, times=(14400, 86400), index=1, more=b""):
    address = attribute(1, socket.inet_pton(socket.AF_INET6, "2001:db8::"))
    cache = attribute(2, struct.pack("II", *times)) if times else b""
    return message(RTM_NEWPREFIX, struct.pack("BBHiBBBB", 10, 0, 0, index, 3, 64, flags, 0) + address + cache + more)


def route(family, kind, flags, *attributes, bits=24, table=254, number=RTM_NEWROUTE):
    header = struct.pack("BBBBBBBBI", family, bits, 0, 0, table, 4, 0, kind, flags)
    return message(number, header + b"".join(attributes))


def hops(*of):
    return attribute(9, b"".join(struct.pack("HBBi", 8, flags, ttl, index) for index, ttl, flags in of))


def ipv4(number, text):
    return attribute(number, socket.inet_aton(text))


def ipv6(number, text):
    return attribute(number, socket.inet_pton(socket.AF_INET6, text))


def multicast_routes():
    group, source = ipv4(1, "239.1.1.1"), ipv4(2, "10.0.0.1")
    counted, astray = struct.pack("QQQ", 3, 300, 0), struct.pack("QQQ", 3, 300, 7)
    age = attribute(23, struct.pack("Q", 1234))
    yield route(IPMR, MULTICAST, 0, group, word(3, 1), hops((1, 1, 0), (1, 2, 0), (99, 1, 0)), attribute(17, counted))
    yield route(IPMR, MULTICAST, 0, source, group, word(3, 1), attribute(17, astray), age, word(15, 100), bits=32)
    yield route(IPMR, MULTICAST, 0x20, source, group, age, attribute(17, counted), table=253)
    yield route(IPMR, MULTICAST, 8, source, group, word(3, 1), hops((1, 1, 4)), age, table=253)
    yield route(IPMR, MULTICAST, 0, source, group, word(15, 253), number=RTM_DELROUTE)
    yield route(
        IP6MR, MULTICAST, 0, ipv6(1, "ff0e::1"), ipv6(2, "2001:db8:1111:2222:3333:4444:5555:6666"), word(3, 1), hops((1, 255, 0)), bits=128
    )


def statistics(*state):
    l3 = attribute(3, attribute(1, bytes([state[0]])) + attribute(2, bytes([state[1]])))
    return message(RTM_NEWSTATS, struct.pack("BBHII", 0, 0, 0, 1, 8) + attribute(4, attribute(2, l3)))


UNKNOWN = attribute(200, b"of a newer kernel")  # a number that is in no table

FILES = {
    "prefixes": [prefix(0), prefix(1), prefix(2), prefix(3), prefix(3, (2**32 - 1, 2**32 - 1)), prefix(3, None), prefix(7, index=99)],
    "multicast": list(multicast_routes()),
    "statistics": [statistics(1, 0), statistics(1, 1), statistics(0, 0)],
    "cached": [
        route(2, 1, 0x200, ipv4(1, "10.1.1.0"), word(4, 1)),
        route(2, 1, 0, ipv4(1, "10.1.2.0"), word(4, 1)),
        route(2, 1, 0, ipv4(1, "10.1.3.0"), word(4, 1), number=RTM_DELROUTE),
    ],
    "newer": [
        prefix(1, more=UNKNOWN),
        route(2, 1, 0, ipv4(1, "10.1.2.0"), word(4, 1), UNKNOWN),
        message(RTM_NEWADDR, struct.pack("BBBBI", 2, 24, 0x80, 0, 1) + ipv4(1, "10.0.0.1") + ipv4(2, "10.0.0.1") + UNKNOWN),
        message(250, b"\0" * 16),
    ],
    "empty": [],
}

for name, messages in FILES.items():
    with open(name, "wb") as file:
        file.write(b"".join(messages))
