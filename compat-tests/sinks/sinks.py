"""Does a line make its changes if stdout can't be written, or takes nothing? Argument: exec, system, or a program to run with -c.
Prints a row for each stdout and line: the line's status, and lo's mtu afterwards."""

import ctypes
import os
import socket
import subprocess
import sys
import tempfile

LIBC = ctypes.CDLL(None)
PIDFD_OPEN = 434
ADD_SEALS, SEAL_WRITE = 1033, 8
LINES = (
    "echo x && ip link set lo mtu 1412",
    "printf x; ip link set lo mtu 1413 && echo y && ip link set lo mtu 1414",
    "ip link show lo && ip link set lo mtu 1415",
    "ip link set lo mtu 1416 && echo z && ip link set lo mtu 1417",
    'bash -c "echo x && ip link set lo mtu 1418"',
)
PLAIN = {"PATH": os.environ["PATH"]}


def sealed():
    file = os.memfd_create("sealed", os.MFD_ALLOW_SEALING)
    LIBC.fcntl(file, ADD_SEALS, SEAL_WRITE)
    return file


def listening():
    made = socket.socket(socket.AF_UNIX)
    made.bind("\0nlsh-sinks-%d" % os.getpid())
    made.listen(1)
    return made.detach()


def shut():
    near, far = socket.socketpair()
    near.shutdown(socket.SHUT_WR)
    far.detach()
    return near.detach()


OUTPUTS = {
    "read-only": lambda: os.open("/etc/passwd", os.O_RDONLY),
    "eventfd": lambda: LIBC.eventfd(0, 0),
    "timerfd": lambda: LIBC.timerfd_create(0, 0),
    "epoll": lambda: LIBC.epoll_create1(0),
    "inotify": LIBC.inotify_init,
    "pidfd": lambda: LIBC.syscall(PIDFD_OPEN, os.getpid(), 0),
    "folder": lambda: os.open("/", os.O_RDONLY),
    "path": lambda: os.open("/dev/null", os.O_PATH),
    "pipe's read end": lambda: os.pipe()[0],
    "sealed": sealed,
    "namespace": lambda: os.open("/proc/self/ns/net", os.O_RDONLY),
    "for ioctl alone": lambda: os.open("/dev/null", os.O_ACCMODE),
    "full": lambda: os.open("/dev/full", os.O_RDWR),
    "proc": lambda: os.open("/proc/self/comm", os.O_WRONLY),
    "listening": listening,
    "shut": shut,
    "datagrams": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).detach(),
    "unconnected": lambda: socket.socket(socket.AF_INET).detach(),
    "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).detach(),
    "file": lambda: os.open(tempfile.gettempdir(), os.O_WRONLY | os.O_TMPFILE),
    "null": lambda: os.open("/dev/null", os.O_RDWR),
}


def run(way, line, output):
    if way != "system":
        shell = "sh" if way == "exec" else way
        return subprocess.run([shell, "-c", line], stdout=output, stderr=subprocess.DEVNULL, check=False).returncode
    saved = [os.dup(1), os.dup(2)]
    for target, source in ((1, output), (2, os.open("/dev/null", os.O_WRONLY))):
        os.dup2(source, target)
    status = LIBC.system(line.encode())
    for target, source in enumerate(saved, 1):
        os.dup2(source, target)
    return os.waitstatus_to_exitcode(status)


def main():
    for name, make in OUTPUTS.items():
        for line in LINES:
            subprocess.run(["ip", "link", "set", "lo", "mtu", "1400"], env=PLAIN, check=True)
            output = make()
            status = run(sys.argv[1], line, output)
            os.close(output)
            mtu = subprocess.run(["ip", "-o", "link", "show", "lo"], env=PLAIN, capture_output=True, check=True).stdout.split()[4]
            print(name, line, status, mtu.decode(), flush=True)


main()
