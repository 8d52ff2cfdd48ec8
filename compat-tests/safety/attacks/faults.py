"""strace makes the server's system calls fail now and then; a frozen server; a server that the kernel kills for its memory."""

from . import Attack

LINES = (
    "ip link add f0 type bridge && ip link set f0 mtu 1400 up && ip link show f0 | grep -c mtu; ip link del f0",
    "ip addr add 10.1.1.1/24 dev lo; ip -j addr show lo; ip addr del 10.1.1.1/24 dev lo",
    "ip route show table all | wc -l; ip link show nosuch",
)


def fails(call: str, error: str, when: str, **columns) -> Attack:
    """when: strace's FIRST+STEP. With -D the started process stays the server, and strace becomes its grandchild."""
    strace = f'set -- strace -D -f -qq -o /dev/null -e trace={call} -e inject={call}:error={error}:when={when} "$@"'
    return Attack(
        f"{call} gives {error}, {when}",
        LINES,
        server=strace,
        within="warm(30); both(); both()",
        native=None,
        **({"said": "(?s:.*)"} | columns),
    )


# A control group for the server, whose limits end with the row.
GROUP = """
import pathlib
mounted = [line.split()[1] for line in open('/proc/mounts') if line.split()[2] == 'cgroup2']
if not mounted: raise OSError('no cgroup2 is mounted')
above = pathlib.Path(mounted[0])
group = above / f'nlsh-arena-{os.getpid()}'
def events(wanted):
    while wanted not in (group / 'cgroup.events').read_text(): time.sleep(0.005)
def freeze(on):
    (group / 'cgroup.freeze').write_text(str(on)); events(f'frozen {on}')
warm()
if server:
    group.mkdir(); (group / 'cgroup.procs').write_text(str(server))
"""
UNDONE = """
if server:
    freeze(0); (above / 'cgroup.procs').write_text(str(server)); group.rmdir()
"""

ATTACKS = [
    *(
        fails(call, "EINTR", when)
        for call in (
            "recvmsg",
            "sendmsg",
            "recvfrom",
            "sendto",
            "poll",
            "ppoll",
            "epoll_wait",
            "accept4",
            "read",
            "write",
            "openat",
            "connect",
        )
        for when in ("3+5", "4+2")
    ),
    *(fails(call, "EAGAIN", "5+7") for call in ("accept4", "clone3")),
    *(
        fails(call, "ENOBUFS", when, deviates={"server": "a show behind a change says that it failed, as iproute2 does; others fall back"})
        for call, when in (("recvmsg", "7+5"), ("recvfrom", "3+4"))
    ),
    fails("socket", "EMFILE", "2+3"),
    fails("openat", "EMFILE", "20+3"),
    fails("accept4", "EMFILE", "2+3"),
    fails("accept4", "ECONNABORTED", "2+3"),
    fails("mmap", "ENOMEM", "60+2", dies=True),
    fails("setns", "EPERM", "1+2"),
    fails("setsockopt", "ENOMEM", "2+5"),
    Attack("the server is frozen", LINES, within=GROUP + "if server: freeze(1)\nboth()" + UNDONE, patience=300, native=False, inproc=True),
    Attack(
        "the server is frozen and goes on",
        LINES,
        within=GROUP
        + "for _ in range(3):\n    if server: freeze(1); threading.Timer(0.2, lambda: freeze(0)).start()\n    both()\n    if server: events('frozen 0')"
        + UNDONE,
        native=None,
    ),
    Attack(
        "the server is killed in mid-chain",
        ("ip link add k0 type bridge; sleep 0.3; ip link del k0",),
        within="warm()\nif server: threading.Timer(0.1, lambda: os.kill(server, signal.SIGKILL)).start()\nboth()",
        native=None,
        dies=True,
        said="(?s:.*)",
    ),
]
