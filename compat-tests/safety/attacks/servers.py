"""Attacks on the server, and on the directory of its sockets."""

from . import Attack

LINES = ("ip link set lo mtu 1301 && ip link show lo", "ip -d link show | grep -c mtu; echo $?")
NESTED = ("( " * 35 + "ip link show lo" + " )" * 35, "echo $(echo $(ip link show lo))", *LINES)
TOO_FEW = "(nlsh: (cannot open 24 more descriptors \\(raise ulimit -n\\)|.*Too many open files.*)\nended early: 1\n)?"  # optional, because the in-process engine has no server
DO = "warm()\nif server: {}\nboth()"
# As if a processor went offline: the kernel moves its threads and drops their pinning.
PROCESSORS = """
import pathlib
old, new = pathlib.Path('/sys/fs/cgroup/cpuset'), pathlib.Path('/sys/fs/cgroup')
above = old if old.is_dir() else new
if server and above is new: (new / 'cgroup.subtree_control').write_text('+cpuset')
group = above / f'nlsh-arena-{os.getpid()}'
every = (above / ('cpuset.cpus' if above is old else 'cpuset.cpus.effective')).read_text().strip()
def allow(processors):
    if server: (group / 'cpuset.cpus').write_text(processors)
    both()
warm()
if server:
    group.mkdir()
    if above is old: (group / 'cpuset.mems').write_text((above / 'cpuset.mems').read_text())
    (group / 'cpuset.cpus').write_text(every); (group / 'cgroup.procs').write_text(str(server))
last = str(os.cpu_count() - 1)
for processors in (last, '0', last, every): allow(processors)
if server:
    (above / 'cgroup.procs').write_text(str(server)); group.rmdir()
both()
"""


def limited(name: str, server: str, lines=LINES, **columns) -> Attack:
    return Attack(f"the server has {name}", lines, server=server, **({"native": None} | columns))


def hit(name: str, what: str, **columns) -> Attack:
    """Attacks the server between two calls."""
    return Attack(name, LINES, within=DO.format(what), **({"native": None, "inproc": True} | columns))


ATTACKS = [
    limited("stacks of 64 KiB", "ulimit -s 64", NESTED),
    limited("stacks of 16 KiB", "ulimit -s 16", NESTED, said=".*(?s:.*)"),
    limited("stacks without end", "ulimit -s unlimited", NESTED, native=True),
    limited("files of no size", "ulimit -f 0", said="(?s:.*)", dies=True),
    limited("files of 4 KiB", "ulimit -f 8", ("ip route show table all", *LINES), said="(?s:.*)", dies=True),
    limited("no locked memory", "ulimit -l 0", native=True),
    limited("50 descriptors", "ulimit -n 50", native=True),
    limited("40 descriptors", "ulimit -n 40"),
    limited("20 descriptors", "ulimit -n 20", native=True, said=TOO_FEW),
    limited("10 descriptors", "ulimit -n 10", native=True, said=TOO_FEW),
    limited("data of 30 MiB", "ulimit -d 30000", said="(?s:.*)", dies=True),
    limited("a second of processor time", "ulimit -t 1"),
    limited("no standard streams", "exec <&- >&- 2>&-", native=True),
    limited("its standard streams on a broken pipe", "exec >/dev/full 2>/dev/full", native=True),
    limited("SIGTERM blocked and ignored", "trap '' TERM INT HUP PIPE CHLD", native=True),
    limited("an open umask", "umask 0", native=True),
    limited("a closed umask", "umask 777", (*LINES, "ip netns add a; ip netns list; ip netns del a"), native=None),
    limited("one processor", 'set -- taskset -c 0 "$@"', native=True),
    limited("the lowest priority", 'set -- nice -n 19 chrt -i 0 "$@"', native=None),
    limited("German locales", "export LC_ALL=de_DE.UTF-8 LANGUAGE=de", native=True),
    limited("another PATH", 'export PATH=/nowhere; set -- /usr/bin/env PATH=/nowhere "$@"', native=True),
    limited("a deleted directory", "mkdir gone; cd gone; rmdir ../gone", native=True),
    # unshare blocks SIGTERM.
    limited(
        "a pid namespace of its own",
        """set -- sh -c 'unshare -p --fork --kill-child "$@" & trap "kill -KILL $!" TERM; wait; wait' sh "$@\"""",
        native=None,
        inproc=True,
        said="(?s:.*)",
    ),
    limited("another network namespace", 'set -- unshare -n "$@"', native=True),
    limited(
        "another mount namespace", 'set -- unshare -m sh -c \'mount -t tmpfs none /mnt; exec "$@"\' sh "$@"', native=False, inproc=True
    ),
    limited("another user's name space", 'set -- unshare -Ur "$@"', native=False, inproc=True, said="(?s:.*)", dies=True),
    limited(
        "fewer capabilities",
        'set -- setpriv --bounding-set=-net_admin --inh-caps=-net_admin "$@"',
        native=False,
        inproc=True,
        said="(?s:.*)",
    ),
    limited("no capabilities", 'set -- setpriv --bounding-set=-all --inh-caps=-all "$@"', native=False, inproc=True, said="(?s:.*)"),
    limited("a time namespace", 'set -- unshare -T --monotonic 100000 --boottime 100000 "$@"', native=True),
    hit("the server stops", "stop(server)", patience=300, native=False),
    Attack(
        "the server stops and goes on",
        LINES,
        within="warm()\nfor _ in range(3):\n    if server: stop(server)\n    threading.Timer(0.2, lambda: server and os.kill(server, signal.SIGCONT)).start()\n    both(); time.sleep(0.2)",
        patience=1000,
        native=None,
    ),
    hit("the server is killed", "os.kill(server, signal.SIGKILL); time.sleep(0.1)", native=False, said="ended early: -9\n", dies=True),
    hit("the server ends", "os.kill(server, signal.SIGTERM)", said="ended early: 0\n", dies=True),
    hit("the server's processor time is over", "resource.prlimit(server, resource.RLIMIT_CPU, (0, 100))", said="(?s:.*)", dies=True),
    hit(
        "the server's files have no size",
        "resource.prlimit(server, resource.RLIMIT_FSIZE, (0, 0))",
        said="(?s:.*)",
        dies=True,
        deviates={"server": "who limits the running server's files has the kernel kill it where it writes: as if ip had been killed"},
    ),
    hit("the server's descriptors are used up", "resource.prlimit(server, resource.RLIMIT_NOFILE, (0, 0))", patience=300),
    hit(
        "the server gets no memory",
        "resource.prlimit(server, resource.RLIMIT_AS, (0, 0))",
        said="(?s:.*)",
        deviates={"server": "the show behind the change finds no memory: as if ip had been killed"},
    ),
    hit("the server starts no process", "resource.prlimit(server, resource.RLIMIT_NPROC, (0, 0))", native=True),
    Attack(
        "the server's processors change",
        LINES,
        within="warm()\nfor cpu in range(os.cpu_count()):\n    for task in os.listdir(f'/proc/{server}/task') if server else []: os.sched_setaffinity(int(task), {cpu})\n    both()",
    ),
    Attack("the server's processors go and come back", LINES, within=PROCESSORS),
    Attack(
        "the sockets are unlinked",
        LINES,
        within="warm(); [os.unlink(f'/run/nlsh/{name}') for name in os.listdir('/run/nlsh')] if server else 0\nboth()",
        native=None,
    ),
    Attack(
        "the sockets' directory is another",
        LINES,
        within="warm()\nif server: os.rename('/run/nlsh', '/run/old'); os.mkdir('/run/nlsh')\nboth()",
        native=None,
    ),
    Attack(
        "files where the sockets were",
        LINES,
        within="warm(); time.sleep(0.2)\nif server:\n    for name in os.listdir('/run/nlsh'): os.unlink(f'/run/nlsh/{name}'); open(f'/run/nlsh/{name}', 'w')\nboth()",
        native=None,
    ),
    Attack(
        "stream sockets where the sockets were",
        LINES,
        within="warm(); time.sleep(0.2)\nheld = []\nif server:\n    for name in os.listdir('/run/nlsh'):\n        os.unlink(f'/run/nlsh/{name}'); s = socket.socket(socket.AF_UNIX); s.bind(f'/run/nlsh/{name}'); s.listen(); held.append(s)\nboth()",
        native=None,
    ),
    Attack(
        "a server that says nonsense",
        LINES,
        within="""
warm(); time.sleep(0.2)
def answer(s, number):
    while True:
        peer = s.accept()[0]; peer.recv(1 << 18)
        peer.send([b'', b'\\0' * 16, b'nlsh' + b'\\xff' * 600, b'hslnx' * 3][number % 4]); peer.close(); number += 1
if server:
    for name in os.listdir('/run/nlsh'):
        os.unlink(f'/run/nlsh/{name}')
        s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET); s.bind(f'/run/nlsh/{name}'); s.listen()
        threading.Thread(target=answer, args=(s, 0), daemon=True).start()
for _ in range(2): both()""",
        native=None,
        deviates={"server": "a server of root that took the line and answers nonsense: as if ip had been killed"},
    ),
    Attack(
        "the kill switch within a burst",
        LINES,
        within="warm(); open('/run/nlsh/disable', 'w') if os.path.isdir('/run/nlsh') else 0; both()",
        native=None,
    ),
]
