"""Kinds of calling processes, and what they do before, during and after their calls."""

from . import Attack

LINES = ("ip link set lo mtu 1301 && ip link show lo", "ip -d addr show lo | grep -c inet")
STORM = """
warm()
count = 0
def handler(*_):
    global count
    count += 1
signal.signal(signal.SIGALRM, handler)
signal.siginterrupt(signal.SIGALRM, True)
signal.setitimer(signal.ITIMER_REAL, 0.0003, 0.0003)
results = {{(call_system(lines[0] + b" >/dev/null"), *call_popen(lines[0])) for _ in range({times})}}
signal.setitimer(signal.ITIMER_REAL, 0)
note(len(results), *[repr(each) for each in results])
"""
THREADS = """
warm()
results, lock = set(), threading.Lock()
def run(number):
    {start}
    for turn in range({times}):
        line = lines[(number + turn) % len(lines)]
        got = (line, call_system(line + b" >/dev/null"), *call_popen(line))
        with lock: results.add(repr(got))
threads = [threading.Thread(target=run, args=(number,)) for number in range({number})]
for each in threads: each.start()
for each in threads: each.join()
note(*sorted(results))
"""
OTHER_MOUNTS = "call('unshare', 0x200); call('unshare', 0x20000); call('mount', b'none', b'/', None, 0x44000, None); call('mount', b'script', b'/usr/sbin/ip', None, 0x1000, None)"
SCRIPT = "printf '#!/bin/sh\\necho mine\\n' >script; chmod 755 script"
LANDLOCK = """
warm()
class Rules(ctypes.Structure): _fields_ = [('fs', ctypes.c_uint64)]
rules = Rules({})
number = libc.syscall(444, ctypes.byref(rules), 8, 0)
if number >= 0:
    call('prctl', 38, 1, 0, 0, 0); libc.syscall(446, number, 0)
both()"""
OTHER_ROOT = "warm(); both(); {}\nboth()"

ATTACKS = [
    Attack("a storm of signals that interrupt", LINES[:1], within=STORM.format(times=300)),
    Attack("all signals blocked", LINES, within="signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65)); warm(); both()"),
    Attack(
        "all signals ignored",
        LINES,
        within="for n in range(1, 65):\n    if n not in (9, 19, 32, 33): signal.signal(n, signal.SIG_IGN)\nwarm(); both()",
        native=None,
    ),
    Attack("children are reaped", LINES, within="signal.signal(signal.SIGCHLD, signal.SIG_IGN); warm(); both()", native=None),
    Attack("a handler for children", LINES, within="seen = []\nsignal.signal(signal.SIGCHLD, lambda *_: None); warm(); both()"),
    Attack("SIGPIPE ignored", LINES, within="signal.signal(signal.SIGPIPE, signal.SIG_IGN); warm(); both()"),
    Attack("30 threads", LINES, within=THREADS.format(number=30, times=6, start="pass"), native=None),
    Attack("threads with small stacks", LINES, within="threading.stack_size(65536)\n" + THREADS.format(number=4, times=4, start="pass")),
    Attack(
        "threads with directories of their own",
        LINES,
        within=THREADS.format(number=3, times=4, start="call('unshare', 0x200); os.chdir('/proc')"),
    ),
    Attack(
        "threads with descriptors of their own",
        LINES,
        within=THREADS.format(number=3, times=4, start="call('unshare', 0x400)"),
        native=None,
    ),
    Attack(
        "a thread in another network namespace",
        ("ip link set lo mtu 1305 && ip link show lo",),
        within=THREADS.format(number=1, times=3, start="call('unshare', 0x40000000)") + "\nboth(b'ip link show lo')",
    ),
    Attack(
        "threads one after another, each in a network namespace of its own",
        ("ip link show lo",),
        within="""
warm()
def run(number):
    call('unshare', 0x40000000)
    for turn in range(4): call_system(b'ip link set lo mtu %d' % (1400 + number))
    note(*call_popen(lines[0]))
for number in range(8):
    thread = threading.Thread(target=run, args=(number,)); thread.start(); thread.join()
both()""",
    ),
    Attack(
        "a thread in another mount namespace",
        LINES,
        place=SCRIPT,
        within=THREADS.format(number=1, times=3, start=OTHER_MOUNTS) + "\nboth()",
        native=None,
    ),
    Attack(
        "a thread in another mount namespace calls first",
        LINES,
        place=SCRIPT,
        within=THREADS.format(number=1, times=20, start=OTHER_MOUNTS).replace("warm()\n", "", 1),
        native=None,
    ),
    Attack(
        "the process in another mount namespace, within a burst",
        LINES,
        place=SCRIPT,
        within="warm(); both()\n" + OTHER_MOUNTS + "\nboth()",
        native=None,
    ),
    Attack(
        "the process back in the first mount namespace",
        LINES,
        place=SCRIPT,
        within="warm(); first = os.open('/proc/self/ns/mnt', os.O_RDONLY)\n" + OTHER_MOUNTS + "\nboth(); call('setns', first, 0); both()",
        native=None,
    ),
    Attack("another user namespace, within a burst", LINES, within=OTHER_ROOT.format("call('unshare', 0x10000000)"), native=None),
    Attack("another root, within a burst", LINES, within=OTHER_ROOT.format("os.mkdir('r'); os.chroot('r')"), native=None),
    Attack(
        "another root by pivot_root",
        LINES,
        within="warm(); both(); call('unshare', 0x20000); call('mount', b'none', b'/', None, 0x44000, None)\nos.makedirs('p'); call('mount', b'none', b'p', b'tmpfs', 0, None); os.mkdir('p/old')\nlibc.syscall(155, b'p', b'p/old'); os.chroot('/'); both()",
        native=None,
    ),
    Attack(
        "capabilities dropped within a burst",
        LINES,
        within="""
warm()
def drop():
    header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    call('prctl', 24, 12, 0, 0, 0)
    call('capget', header, data); data[0] &= ~(1 << 12); data[1] &= ~(1 << 12); call('capset', header, data)
drop(); both()""",
    ),
    Attack(
        "another user within a burst",
        LINES,
        within="warm(); os.chmod('/run', 0o755); os.setresuid(65534, 65534, 0); both(); os.setresuid(0, 0, 0); both()",
        native=None,
    ),
    Attack("groups of others", LINES, within="os.setgroups([65534, 100]); os.setresgid(65534, 65534, 65534); warm(); both()"),
    Attack("a session and group of its own", LINES, within="fork(lambda: (os.setsid(), warm(), both()))"),
    Attack(
        "an orphan",
        LINES,
        within="r, w = os.pipe()\ndef child():\n    if os.fork() == 0:\n        warm(); both(); os.write(w, b'x'); os._exit(0)\nfork(child); os.read(r, 1)",
    ),
    Attack("a fork in a burst", LINES, within="warm(); note(fork(both)); both()"),
    Attack(
        "forks of forks",
        LINES,
        within="warm()\ndef deeper(depth):\n    both(lines[1])\n    if depth: note(fork(lambda: deeper(depth - 1)))\ndeeper(6)",
    ),
    Attack(
        "200 processes at once",
        ("ip link show lo",),
        within="""
warm()
children = []
for number in range(200):
    child = os.fork()
    if child == 0:
        text, status = call_popen(lines[0])
        os._exit(0 if status == 0 and b'lo:' in text and call_system(b'ip link set lo up') == 0 else 1)
    children.append(child)
note(sorted({os.waitpid(child, 0)[1] for child in children}))""",
        native=None,
    ),
    Attack(
        "64 processes change the same device",
        (),
        within="""
def change(number):
    for turn in range(5):
        if call_system(b'ip link set lo mtu %d && ip addr add 10.3.%d.%d/32 dev lo' % (1400 + number, number, turn)): os._exit(1)
    os._exit(0)
children = []
for number in range(64):
    child = os.fork()
    if child == 0: change(number)
    children.append(child)
note(sorted({os.waitpid(child, 0)[1] for child in children}))
popen(b'ip addr show lo | grep -c inet')
system(b'ip link set lo mtu 1500; ip addr flush dev lo')""",
        native=None,
    ),
    Attack(
        "its directory deleted within a burst",
        LINES,
        within="os.makedirs('gone'); os.chdir('gone'); warm(); os.rmdir('../gone'); both()",
        native=False,
    ),
    Attack("its directory can't be searched", LINES, within="os.makedirs('closed', mode=0); os.chdir('closed'); warm(); both()"),
    Attack(
        "its directory is very deep",
        LINES,
        within="for i in range(40):\n    os.mkdir('d' * 200); os.chdir('d' * 200)\nwarm(); both()",
        native=None,
    ),
    Attack(
        "its directory is unmounted",
        LINES,
        within="os.mkdir('m'); call('mount', b'none', b'm', b'tmpfs', 0, None); os.chdir('m'); warm(); call('umount2', b'../m', 2); both()",
        native=None,
    ),
    Attack("the kept descriptors closed in each turn", LINES, within="warm()\nfor turn in range(5): os.closerange(100, 200); both()"),
    Attack(
        "the kept descriptors are other files",
        LINES,
        within="warm(); opened = [os.open('/etc/passwd', os.O_RDONLY)]\nfor number in range(90, 140):\n    if number != _report: os.dup2(opened[0], number)\nboth(); note(os.read(101, 4))",
    ),
    Attack(
        "all descriptors taken",
        ("ip link set lo mtu 1301", "ip link show lo"),
        within="warm(); limit('NOFILE', 64, 64)\nheld = []\ntry:\n    while True: held.append(os.dup(0))\nexcept OSError: pass\nsystem(lines[0]); note(*call_popen(lines[0])); os.close(held.pop()); system(lines[0]); note(*call_popen(lines[0])); os.close(held.pop()); both()",
        native=None,
    ),
    Attack(
        "memory that runs out",
        LINES,
        within="warm(); size = int(open('/proc/self/statm').read().split()[0]) * 4096\nfor more in (0, 4096, 65536, 1 << 20, 1 << 22):\n    limit('AS', size + more, -1)\n    both()\nlimit('AS', -1, -1)",
        native=None,
        deviates={way: "a shell that can't start in so little memory" for way in ("server", "inproc")},
    ),
    Attack(
        "descriptors for one call only",
        LINES[:1],
        within="warm(); limit('NOFILE', 3, 1024); both()",
        native=False,
        deviates={way: "libc isn't found in the child, nor is the preload, and the dynamic linker says so" for way in ("server", "inproc")},
    ),
    Attack(
        "a filter of system calls",
        LINES,
        within="warm(); call('prctl', 38, 1, 0, 0, 0)\nprogram = (ctypes.c_uint64 * 1)(0x7fff000000000006); head = (ctypes.c_uint64 * 2)(1, ctypes.addressof(program)); call('prctl', 22, 2, head)\nboth()",
    ),
    Attack("landlock forbids to execute", LINES, within=LANDLOCK.format(1), native=None),
    Attack(
        "landlock forbids to write",
        ("echo 1 > /proc/sys/net/ipv4/conf/lo/arp_filter; ip link show lo", "sysctl -w net.ipv4.conf.lo.arp_filter=1"),
        within=LANDLOCK.format(2),
        native=None,
    ),
    Attack("traced", LINES, caller='run="strace -f -o /dev/null"', native=None),
    Attack("another time namespace", LINES, caller='run="unshare -T --boottime 1000000 --monotonic 1000000 --fork"'),
    Attack(
        "an earlier time namespace",
        LINES,
        within="warm(); call('unshare', 0x80); open('/proc/self/timens_offsets', 'w').write('monotonic -5000 0\\n'); note(fork(lambda: (warm(), both())))",
        native=None,
    ),
    Attack("another cgroup namespace", LINES, caller='run="unshare -C"'),
    Attack("another host name", LINES, within="warm(); call('unshare', 0x4000000); both(); time.sleep(0.2); both()", native=None),
    Attack(
        "frozen for a while",
        LINES,
        within="""
warm(); child = os.fork()
if child == 0:
    for _ in range(20): time.sleep(0.01); os.kill(os.getppid(), signal.SIGSTOP); time.sleep(0.005); os.kill(os.getppid(), signal.SIGCONT)
    os._exit(0)
for _ in range(5): both()
os.waitpid(child, 0)""",
    ),
    Attack(
        "waits for any child meanwhile",
        LINES,
        within="""
warm(); child = os.fork()
if child == 0: time.sleep(0.3); os._exit(3)
both(); note(os.waitpid(-1, 0)[1])
try: os.wait()
except ChildProcessError: note('none')""",
    ),
    Attack(
        "streams open side by side",
        LINES,
        within="warm(); opened = [libc.popen(lines[0], b'r') for _ in range(40)]\nfor each in reversed(opened): note(os.read(libc.fileno(each), 65536), libc.pclose(each))",
        native=None,
    ),
    Attack(
        "streams that aren't read",
        LINES,
        within="warm()\nfor _ in range(5): note(libc.pclose(libc.popen(lines[0], b'r')))",
        native=None,
        deviates={way: "the output is in the pipe before the program can close it" for way in ("server", "inproc")},
    ),
    Attack(
        "odd modes",
        LINES,
        within="warm()\nfor mode in (b'', b'x', b'rw', b'r+', b're', b'er', b'ree', b'wr', b'rb', b'R', b'e'):\n    ctypes.set_errno(0); stream = libc.popen(b'ip link show lo', mode)\n    note(mode, bool(stream), ctypes.get_errno() if not stream else os.read(libc.fileno(stream), 65536) if mode.startswith(b'r') or mode.startswith(b'er') else b'', libc.pclose(stream) if stream else 0)",
        native=None,
    ),
]
