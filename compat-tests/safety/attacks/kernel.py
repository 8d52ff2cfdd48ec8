"""The kernel: namespaces that vanish, settings, devices that come and go, refusals."""

from . import Attack

ATTACKS = [
    Attack(
        "a name of its namespace that is gone",
        ("ip netns add x && ip netns del x; ip -n x link", "ip netns list; ip netns pids x; ip netns identify", "ip link set lo netns x"),
        native=None,
    ),
    Attack(
        "its namespace's name is deleted",
        ("ip link show lo", "ip addr add 10.1.1.1/32 dev lo; ip addr show lo"),
        within="subprocess.run(['/sbin/ip', 'netns', 'add', 'y'], check=True, env={})\nn = os.open('/run/netns/y', os.O_RDONLY); call('setns', n, 0); os.close(n)\nwarm(); subprocess.run(['/sbin/ip', 'netns', 'del', 'y'], check=True, env={}); both()",
    ),
    Attack(
        "from one namespace to the next",
        ("ip link set lo up; ip addr show lo",),
        within="warm()\nfor turn in range(10): call('unshare', 0x40000000); both()",
    ),
    Attack(
        "a veth whose other end vanishes",
        (
            "ip link add va type veth peer name vb && ip link del vb; ip link show va",
            "ip link add va type veth peer name vb; ip link set vb netns 1; ip link del va; ip -br link | wc -l",
        ),
        native=None,
    ),
    Attack(
        "addresses twice, three times",
        (
            "ip addr add 10.1.1.1/24 dev lo; ip addr add 10.1.1.1/24 dev lo; ip addr replace 10.1.1.1/24 dev lo; ip addr del 10.1.1.1/24 dev lo; ip addr del 10.1.1.1/24 dev lo",
        ),
        native=None,
    ),
    Attack(
        "no ipv6",
        ("ip -6 addr add ::2/128 dev lo; ip -6 addr show lo", "ip -6 route add 2001::/16 dev lo; ip -6 route; ip -6 rule; ip -6 neigh"),
        within="open('/proc/sys/net/ipv6/conf/lo/disable_ipv6', 'w').write('1'); warm(); both()",
        native=None,
    ),
    Attack(
        "a loopback that is down",
        (
            "ip route add 10.0.0.0/8 dev lo; ip route add default via 10.0.0.1; ip addr add 10.0.0.1/8 dev lo; ip route show",
            "ip link set lo up; ip route show",
        ),
        within="system(b'ip link set lo down'); both()",
        native=None,
    ),
    Attack(
        "devices renamed meanwhile",
        (
            "ip link add r0 type bridge && ip link set r0 name r1 && ip link set r0 up; ip link set r1 up && ip link show r1",
            "ip link set r1 name r0; ip link set r1 down; ip link del r0",
        ),
        native=None,
    ),
    Attack(
        "indices that are taken",
        (
            "ip link add i0 index 77 type bridge; ip link add i1 index 77 type bridge; ip link add i1 index 1 type bridge; ip link add i1 index 0 type bridge; ip link show | grep -c bridge; ip link del i0",
            "ip link add i2 index 2147483647 type bridge && ip link show i2; ip link del i2; ip link add i3 index 4294967295 type bridge",
        ),
        native=None,
    ),
    Attack(
        "types that don't exist",
        (
            "ip link add t0 type nosuch",
            "ip link add t0 type vlan id 5",
            "ip link add t0 link lo type vlan id 5000",
            "ip link add t0 type vxlan id 99999999 dstport 4789",
            "ip link add t0 type bond mode 99",
        ),
        native=None,
    ),
    Attack(
        "a bridge into itself",
        ("ip link add b0 type bridge; ip link set b0 master b0; ip link set lo master b0; ip link set b0 nomaster; ip link del b0",),
        native=None,
    ),
    Attack(
        "what is busy",
        (
            "ip link add b0 type bridge; ip link add v0 type veth peer name v1; ip link set v0 master b0; ip link set v0 name v9; ip link set v0 address 00:00:00:00:00:00; ip link set b0 type bridge vlan_filtering 7; ip link del b0; ip link del v0",
        ),
        native=None,
    ),
    Attack(
        "4,000 routes while they change",
        ("ip route show | wc -l", "ip route show table all | grep -c 10.7"),
        within="""
import tempfile
with open('batch', 'w') as file: file.write(''.join(f'route add 10.7.{i >> 8}.{i & 255}/32 dev lo\\n' for i in range(4000)))
subprocess.run(['/sbin/ip', '-batch', 'batch'], check=True, env={}); warm(); both()""",
        native=None,
    ),
    Attack(
        "a dump in small pieces",
        ("ip -d link show", "ip addr show; ip route show table all"),
        within="system(b'ip link add b0 type bridge; ip link add v0 type veth peer name v1'); warm(); both(b'ip link show | wc -l', b'ip -o addr | wc -l')",
        native=None,
    ),
    Attack(
        "settings that are refused",
        (
            "echo 5000000000 > /proc/sys/net/ipv4/neigh/default/gc_thresh1; echo $?",
            "sysctl -w net.ipv4.nosuch=1; ip link show lo",
            "sysctl -w net.ipv4.ip_forward=maybe; sysctl -n net.ipv4.ip_forward",
            "echo 1 > /proc/sys/kernel/ostype; echo $?",
            "sysctl net.ipv4.conf.lo.arp_filter net.nosuch; echo $?",
        ),
        native=None,
    ),
    Attack(
        "the kernel's strict checks",
        (
            "ip route get 10.0.0.1",
            "ip route get 127.0.0.1 oif nosuch",
            "ip route get fibmatch 127.0.0.1",
            "ip neigh get 10.0.0.1 dev lo",
            "ip nexthop get id 5",
            "ip nexthop add id 0 dev lo; ip nexthop add id 5 via 1.2.3.4 dev lo; ip nexthop add id 5 dev lo; ip nexthop; ip nexthop del id 5",
        ),
        native=None,
    ),
]
