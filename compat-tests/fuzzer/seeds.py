"""Seeds for the fuzzers of the kernel's replies: real dumps of a network namespace that has some of everything.

`unshare -n python3 -m fuzzer.seeds CORPUS` writes CORPUS/replies_fuzz and CORPUS/render_fuzz (backend/fuzz describes the format)."""

import socket
import struct
import subprocess
import sys
from pathlib import Path

COMMANDS = 42  # the number in backend/fuzz/commands.h; each command gets each seed
SETUP = """link set lo up
link add br0 type bridge vlan_filtering 1 mcast_snooping 0
link add br0 type bridge
link add v0 type veth peer name v1
link set v0 master br0
link set v1 up
link set v0 up
link set br0 up
link add mv0 link v1 type macvlan mode bridge
link add vx0 type vxlan id 7 dstport 4789 local 10.1.0.1
link add d0 type dummy
link add vr0 type vrf table 10
link add vl0 link v1 type vlan id 5
link set br0 alias words
link property add dev br0 altname other
address add 10.1.0.1/24 dev v1 label v1:x
address add 2001:db8::1/64 dev v1 nodad
nexthop add id 1 via 10.1.0.2 dev v1
nexthop add id 2 dev v1
nexthop add id 3 group 1/2
nexthop add id 4 group 1/2 type resilient buckets 4
route add 10.2.0.0/16 nhid 3
route add 10.3.0.0/16 nexthop via 10.1.0.3 weight 2 nexthop via 10.1.0.4
route add 10.4.0.0/16 via 10.1.0.3 mtu 1400 metric 5 table 7
route add 2001:db8:1::/48 via 2001:db8::2
route add 10.5.0.0/16 encap ip id 5 dst 10.1.0.9 dev v1
route add 10.7.0.0/16 nexthop encap ip6 id 5 dst fc00::1 via 10.1.0.8 nexthop via 10.1.0.9
route add 2001:db8:2::/64 encap seg6 mode inline segs fc00::1,fc00::2 dev v1
route add 2001:db8:3::/64 encap seg6local action End.B6 srh segs fc00::1 count dev v1
route add 2001:db8:4::/64 encap seg6local action End flavors psp,next-csid dev v1
nexthop add id 5 encap ip id 5 dst 10.1.0.9 dev v1
route add unreachable 10.6.0.0/16
neigh add 10.1.0.2 lladdr 02:00:00:00:00:01 dev v1
neigh add proxy 10.1.0.7 dev v1
rule add from 10.0.0.0/8 table 7 prio 5
rule add fwmark 1/3 iif lo goto 32766"""
# Request type, family header's size, its first byte (the family), attributes.
EXT_MASK = struct.pack("=HHI", 8, 29, 1 | 2)  # VFs and bridge VLANs
DUMPS = {
    "link": (18, 16, 17, EXT_MASK),
    "bridge": (18, 16, 7, EXT_MASK),
    "address": (22, 8, 0, b""),
    "route": (26, 12, 0, b""),
    "route6": (26, 12, 10, b""),
    "neigh": (30, 12, 0, b""),
    "fdb": (30, 12, 7, b""),
    "rule": (34, 12, 2, b""),
    "nexthop": (106, 8, 0, b""),
    "bucket": (118, 8, 0, b""),
    "vlan": (114, 8, 7, b""),
    "addrlabel": (74, 12, 10, b""),
    "token": (18, 16, 10, b""),
    "netconf": (82, 4, 0, b""),
    "ntable": (66, 4, 0, b""),
    "stats": (94, 8, 0, b"\x1f\0\0\0"),
}
SIZES = {16: 16, 20: 8, 24: 12, 28: 12, 32: 12, 104: 8, 116: 8, 112: 8, 72: 12, 80: 4, 64: 4, 92: 12}


def dump(kind: int, size: int, family: int, attributes: bytes) -> list[bytes]:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as netlink:
        netlink.settimeout(5)
        body = bytes([family]).ljust(size, b"\0") + attributes
        netlink.send(struct.pack("=IHHII", 16 + len(body), kind, 0x301, 1, 0) + body)
        datagrams = []
        while not datagrams or struct.unpack_from("=IH", datagrams[-1], 0)[1] not in (2, 3):
            datagrams.append(netlink.recv(65536))
            if any(kind in (2, 3) for kind, _ in messages(datagrams[-1])):
                break
        return datagrams


def messages(datagram: bytes):
    while len(datagram) >= 16:
        size, kind = struct.unpack_from("=IH", datagram)
        yield kind, datagram[16:size]
        datagram = datagram[(size + 3) & ~3 :]


def as_object(kind: int, body: bytes) -> bytes:
    size = SIZES.get(kind, 12)
    text, rest = body[:size], body[size:]
    while len(rest) >= 4:
        length, number = struct.unpack_from("=HH", rest)
        value = rest[4:length]
        if len(value) < 256:
            text += bytes([number & 0x7F, len(value)]) + value
        rest = rest[max((length + 3) & ~3, 4) :]
    return text + b"\xfe"


def main(corpus: Path):
    for line in SETUP.splitlines():  # this kernel may lack a feature
        subprocess.run(["/sbin/ip", *line.split()], capture_output=True)
    subprocess.run(["/sbin/bridge", "vlan", "add", "vid", "5", "dev", "v0", "pvid"], capture_output=True)
    count = 0
    for name, request in DUMPS.items():
        datagrams = dump(*request)
        whole = b"".join(struct.pack("<H", len(datagram)) + datagram for datagram in datagrams if len(datagram) < 65536)
        objects = b"".join(as_object(*message) for datagram in datagrams for message in messages(datagram) if message[0] >= 16)
        for number in range(COMMANDS):
            for target, text in (("replies_fuzz", whole), ("render_fuzz", objects)):
                for left_to_real in (0, 0x80):
                    (corpus / target / f"{name}-{number}-{left_to_real}").write_bytes(bytes([number | left_to_real]) + text)
                    count += 1
    print(f"{count} seeds of replies")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
