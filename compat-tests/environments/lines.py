"""What each cell runs: lines as daemons write them, and the devices that they find."""

# The devices of a cell's network namespace; root makes them by the real ip before the cell. v1 stays down, so that no carrier comes late.
SETUP = """\
link add v0 address 02:00:00:00:00:01 type veth peer name v1 address 02:00:00:00:00:02
link set lo up
link set v0 up
"""
# The kernel would add its own addresses late.
QUIET = "echo 1 >/proc/sys/net/ipv6/conf/default/addr_gen_mode; echo 0 >/proc/sys/net/ipv6/conf/all/accept_dad"

LINES = (
    "ip link set v0 mtu 1400",
    '/sbin/ip address "add" "192.0.2.1/24" broadcast "192.0.2.255" dev "v0"',
    "ip neigh replace 192.0.2.9 lladdr 02:00:00:00:00:09 dev v0 nud permanent",
    "ip -o link show v0",
    "ip -j address show dev v0",
    "ip link show nosuch",
    # SwSS's chain for a member of a VLAN, without VLANs (a kernel may lack them).
    r'/bin/bash -c "/sbin/ip link add br9 address 02:00:00:00:09:00 type bridge && /sbin/ip link set \"v0\" master br9 &&'
    r' /sbin/bridge link set dev \"v0\" learning off && /sbin/ip link set br9 mtu 1400"',
    "/sbin/ip address show v0 | grep inet | grep -v 'inet6 fe80:' | wc -l",
    "/bin/echo 1 > /proc/sys/net/ipv4/conf/v0/proxy_arp",
    "ip link set v0 txqueuelen 500 && sysctl -w net.ipv4.conf.v0.forwarding=1",
    # A chain whose second step fails.
    "ip link set v0 alias first && ip link set nosuch up && ip link set v0 alias second || ip link set v0 alias third",
    # Lines that need more than netlink: another namespace, a device file, an ioctl.
    "ip -n a1 -o link show lo",
    "ip tuntap add dev t9 mode tap",
    "brctl addif br9 v1",
)

# The state after a cell: these commands of the real tools, and these files.
STATE = (
    ("ip", "-d", "-j", "link", "show"),
    ("ip", "-d", "-j", "address", "show"),
    ("ip", "-d", "-j", "neigh", "show", "nud", "permanent"),
    ("ip", "-d", "-j", "route", "show", "table", "all"),
    ("bridge", "-d", "-j", "link", "show"),
    ("cat", "/proc/sys/net/ipv4/conf/v0/proxy_arp", "/proc/sys/net/ipv4/conf/v0/forwarding"),
)
