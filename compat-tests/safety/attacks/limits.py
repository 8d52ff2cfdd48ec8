"""Limits of the caller, which the child of a real call would inherit."""

from . import Attack

LINES = ("ip link set lo mtu 1301 && ip link show lo", "ip -d link show | grep -c mtu; echo $?")
# After a burst, when all files are open.
AFTER = "warm(); limit({!r}, {}); both()"

ATTACKS = [
    Attack("processor time of 1 s", LINES, caller="ulimit -t 1"),
    Attack("a stack of 64 KiB", LINES, caller="ulimit -s 64", native=None),
    Attack("a stack without end", LINES, caller="ulimit -s unlimited"),
    Attack("no locked memory", LINES, caller="ulimit -l 0"),
    Attack("no core dumps", LINES, caller="ulimit -c 0"),
    Attack("core dumps without end", LINES, caller="ulimit -c unlimited"),
    Attack("no queued signals", LINES, caller="ulimit -i 0 2>/dev/null || prlimit --pid $$ --sigpending=0"),
    Attack("files of no size", LINES, caller="ulimit -f 0", within="both()", native=None, place="chmod 777 ."),
    Attack("files of no size, after a burst", LINES, within=AFTER.format("FSIZE", 0), native=None, deviates={}),
    Attack("files of 4 KiB", LINES, caller="ulimit -f 8", native=False),
    Attack("64 descriptors", LINES, caller="ulimit -n 64"),
    Attack("20 descriptors", LINES, caller="ulimit -n 20", within="os.dup2(_report, 12); _report = 12; both()", native=None),
    Attack("as many descriptors as may be", LINES, caller="ulimit -n $(ulimit -Hn)"),
    Attack("no process more", LINES, caller="prlimit --pid $$ --nproc=1", native=None),
    Attack("data of 64 MiB", LINES, caller="ulimit -d 65536"),
    Attack("address space of 200 MiB", LINES, caller="ulimit -v 204800"),
    Attack("resident memory of nothing", LINES, caller="ulimit -m 0"),
    Attack("batch scheduling", LINES, caller='run="chrt -b 0 nice -n 2"'),
    Attack("round robin", LINES, caller='run="chrt -r 1"', native=None),
    Attack("one processor", LINES, caller='run="taskset -c 0"'),
    Attack(
        "another processor in each call",
        LINES,
        within="warm()\nfor turn in range(6):\n    os.sched_setaffinity(0, {turn % os.cpu_count()})\n    both()",
    ),
    Attack("all memory locked", LINES, within="call('mlockall', 3); warm(); both()"),
    Attack("all memory locked, little may be", LINES, within="limit('MEMLOCK', 1 << 22); call('mlockall', 3); warm(); both()"),
    Attack(
        "umask 777",
        ("ip netns add a && ip netns list; ip netns del a", *LINES),
        within="os.umask(0o777); warm(); both()\nnote(oct(os.stat('/run/netns').st_mode))",
        place="mount -t tmpfs -o mode=755 none /run/netns 2>/dev/null || true",
        native=None,
    ),
    Attack("the oom killer's choice", LINES, within="open('/proc/self/oom_score_adj', 'w').write('1000'); warm(); both()"),
    Attack("a personality", LINES, within="call('personality', 0x0040000); warm(); both()"),
    Attack("not dumpable", LINES, within="call('prctl', 4, 0, 0, 0, 0); warm(); both()"),
    Attack("a child subreaper", LINES, within="call('prctl', 36, 1, 0, 0, 0); warm(); both()"),
    Attack("coarse timers", LINES, within="call('prctl', 29, 40000000, 0, 0, 0); warm(); both()"),
]
