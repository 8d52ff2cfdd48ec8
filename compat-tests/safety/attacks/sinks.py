"""Output to descriptors other than files, pipes and terminals, and to these in odd states."""

from . import Attack

LINES = (
    "ip link show lo && ip link set lo mtu 1301",
    "ip link show lo; ip link show lo >&2; ip addr show lo",
    "echo one && ip link set lo mtu 1302 && echo two",
    "ip link show nosuch || ip link set lo mtu 1303",
)
SHOWS = LINES + ("ip route show table all", "ip -d link show lo | grep -c mtu")
# Sends output to a descriptor and records the bytes.
TO = """
def to(number, *streams):
    for stream in streams or (1,):
        os.dup2(number, stream)
"""
PACKETS = (
    TO
    + """
import select
def packets(here):
    got = []
    while select.select([here], [], [], 0)[0] and (piece := os.read(here, 1 << 20)):
        got.append(piece.decode(errors="replace"))
    note(got)
warm()
{make}
to(there, 1, 2)
for line in lines:
    note("status", call_system(line))
    packets(here)
for line in lines:
    popen(line)
    packets(here)
"""
)
SOCKET = "a, b = socket.socketpair(socket.AF_UNIX, socket.{})\nhere, there = a.detach(), b.detach()"
MANY = "for i in range(60): subprocess.run(['/sbin/ip', 'route', 'add', f'10.7.{i}.0/24', 'dev', 'lo'], check=True, env={})\n"
TTY = (
    TO
    + """
def shown(here, there):
    os.write(there, b"THE END\\n")
    text = b""
    while b"THE END" not in text: text += os.read(here, 65536)
    note(text)
"""
    + "here, there = os.openpty()\n"
)


def broken(name: str, make: str, lines=LINES, **columns) -> Attack:
    return Attack(name, lines, within=TO + f"warm()\n{make}\nto(there, 1)\nboth()\n", **columns)


ATTACKS = [
    Attack("datagrams", SHOWS, within=PACKETS.format(make=SOCKET.format("SOCK_DGRAM")), native=None),
    Attack("datagrams, many", ("ip route show",), within=MANY + PACKETS.format(make=SOCKET.format("SOCK_DGRAM")), native=None),
    Attack("packets in sequence", SHOWS, within=PACKETS.format(make=SOCKET.format("SOCK_SEQPACKET")), native=None),
    Attack("a pipe of packets", SHOWS, within=PACKETS.format(make="here, there = os.pipe2(os.O_DIRECT)"), native=None),
    Attack("a stream socket", SHOWS, within=PACKETS.format(make=SOCKET.format("SOCK_STREAM")).replace("note(got)", "note(''.join(got))")),
    Attack(
        "an udp socket",
        LINES,
        within=PACKETS.format(
            make="""
a = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); a.bind(('127.0.0.1', 0))
b = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); b.connect(a.getsockname())
here, there = a.detach(), b.detach()"""
        ),
        native=None,
    ),
    broken("a terminal whose other side is gone", "here, there = os.openpty(); os.close(here)", native=None),
    broken("an eventfd", "there = os.eventfd(0)", native=None),
    broken("a directory", "there = os.open('/', os.O_RDONLY)", native=None),
    broken("a path", "there = os.open('/etc/passwd', os.O_PATH)", native=None),
    broken("an epoll descriptor", "import select; there = select.epoll().fileno(); there = os.dup(there)", native=None),
    broken(
        "memory sealed against writing",
        "import fcntl\nthere = os.memfd_create('x', os.MFD_ALLOW_SEALING); fcntl.fcntl(there, 1033, 8)",
        native=None,
    ),
    broken(
        "memory sealed against growing",
        "import fcntl\nthere = os.memfd_create('x', os.MFD_ALLOW_SEALING); os.ftruncate(there, 10); fcntl.fcntl(there, 1033, 4)",
        native=None,
    ),
    broken("a file at its largest offset", "there = os.memfd_create('x'); os.lseek(there, (1 << 63) - 1, os.SEEK_SET)", native=None),
    broken(
        "a listening socket",
        "s = socket.socket(socket.AF_UNIX); s.bind('\\0' + str(os.getpid())); s.listen(); there = s.detach()",
        native=None,
    ),
    broken("an unconnected socket", "there = socket.socket(socket.AF_UNIX).detach()", native=None),
    broken(
        "a socket shut down for writing",
        "a, b = socket.socketpair(); b.shutdown(socket.SHUT_WR); here, there = a.detach(), b.detach()",
        native=None,
    ),
    broken("a netlink socket", "there = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).detach()", native=None),
    broken("a setting of the kernel", "there = os.open('/proc/sys/net/ipv4/conf/lo/arp_filter', os.O_WRONLY)", native=None),
    broken("its own name", "there = os.open('/proc/self/comm', os.O_WRONLY)", native=None),
    broken("/dev/zero", "there = os.open('/dev/zero', os.O_WRONLY)"),
    broken("/dev/null", "there = os.open('/dev/null', os.O_WRONLY)"),
    broken("/dev/null, for reading", "there = os.open('/dev/null', os.O_RDONLY)", native=None),
    broken("a file for both", "there = os.open('both', os.O_RDWR | os.O_CREAT | os.O_APPEND)"),
    broken("a file without caching", "there = os.open('/run/direct', os.O_RDWR | os.O_CREAT | os.O_DIRECT)", native=None),
    Attack(
        "stdout and stderr the same file",
        SHOWS,
        within=TO + "warm(); there = os.open('both', os.O_RDWR | os.O_CREAT); to(there, 1, 2)\nboth()\nnote(open('both').read())",
    ),
    Attack(
        "stdout and stderr the same file, opened twice",
        SHOWS,
        within=TO
        + "warm()\nfor stream in (1, 2): to(os.open('both', os.O_WRONLY | os.O_CREAT), stream)\nboth()\nnote(open('both').read())",
    ),
    Attack(
        "a file in its midst",
        SHOWS,
        within=TO
        + "warm(); there = os.open('both', os.O_RDWR | os.O_CREAT); os.write(there, b'x' * 5000); os.lseek(there, 10, 0); to(there, 1)\nboth()\nnote(open('both').read(), os.lseek(1, 0, 1))",
    ),
    Attack(
        "a terminal, in raw mode", SHOWS, within=TTY + "import tty; tty.setraw(there); warm(); to(there, 1, 2)\nboth(); shown(here, there)"
    ),
    Attack("a terminal that isn't raw", SHOWS, within=TTY + "warm(); to(there, 1, 2)\nboth(); shown(here, there)"),
    Attack(
        "a terminal of a few columns",
        ("ip -c link show lo", "ip -d -c=auto addr", "bridge -c link"),
        within=TTY + "import termios; termios.tcsetwinsize(there, (3, 10)); warm(); to(there, 0, 1, 2)\nboth(); shown(here, there)",
    ),
    Attack(
        "a terminal for stderr alone",
        ("ip -c=auto link show lo >&2", "ip -c=auto addr show lo >&2; ip -c=auto link show lo"),
        within=TTY + "warm(); to(there, 2); to(os.open('out', os.O_WRONLY | os.O_CREAT), 1)\nboth(); shown(here, there)",
    ),
    Attack(
        "a terminal for stdout alone",
        ("ip -c=auto link show lo >&2", "ip -c=auto addr show lo >&2; ip -c=auto link show lo"),
        within=TTY + "warm(); to(there, 1); to(os.open('out', os.O_WRONLY | os.O_CREAT), 2)\nboth(); shown(here, there)",
    ),
    Attack(
        "a pipe without blocking, with room",
        SHOWS,
        within=TO
        + "warm(); here, there = os.pipe(); os.set_blocking(there, False); to(there, 1, 2)\nboth()\nos.set_blocking(here, False); note(os.read(here, 1 << 20))",
    ),
    Attack(
        "a pipe of one page, read slowly",
        ("ip route show; ip route show >&2; ip route show",),
        within=MANY
        + TO
        + """
import fcntl
warm(); here, there = os.pipe(); fcntl.fcntl(there, 1031, 4096); to(there, 1)
def read():
    text = b""
    while piece := os.read(here, 100): text += piece; time.sleep(0.0005)
    note("read", text)
reader = threading.Thread(target=read); reader.start()
status = [call_system(line) for line in lines]
os.close(there); os.dup2(2, 1); reader.join(); note(status)
""",
    ),
    Attack(
        "stdin at its end",
        ("ip -batch -", "ip link show lo; cat", "cat | ip -b -", "ip -force -b /dev/stdin"),
        within="warm(); r, w = os.pipe(); os.close(w); os.dup2(r, 0); both()",
        native=None,
    ),
    Attack("stdin closed", LINES + ("ip -batch - </dev/null; echo $?",), within="warm(); os.close(0); both()", native=None),
    Attack("stdin, stdout and stderr closed", LINES, within="warm(); os.closerange(0, 3); both()", native=None),
    Attack(
        "what is behind stdin is left alone",
        ("ip link show lo; cat", "bash -c 'ip link set lo up'; read a; echo $a"),
        within="warm(); r, w = os.pipe(); os.write(w, b'a\\nb\\nc\\n'); os.close(w); os.dup2(r, 0)\nfor line in lines: popen(line)",
        native=None,
    ),
]
