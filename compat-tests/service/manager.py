"""A small service manager for service.bats: holds the server's first socket, starts and restarts the server, and receives its notifications.

manager.py PREFIX [restarts=N] [watchdog=SECONDS] [notices=N] -- SERVER…
Prints each notice. Stops the server after N notices, or when standard input ends.
"""

import os
import select
import signal
import socket
import sys
import time

split = sys.argv.index("--")
prefix, server = sys.argv[1], sys.argv[split + 1 :]
settings = dict(word.split("=") for word in sys.argv[2:split])
restarts, watchdog = int(settings.get("restarts", 0)), float(settings.get("watchdog", 0))
notices_left = int(settings.get("notices", 1000))

listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
listener.bind(prefix + ".0")
listener.listen(4096)
notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
notices.bind(prefix + ".notify")


def start():
    process = os.fork()
    if process:
        return process
    os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", NOTIFY_SOCKET=prefix + ".notify")
    if watchdog:
        os.environ.update(WATCHDOG_PID=str(os.getpid()), WATCHDOG_USEC=str(int(watchdog * 1e6)))
    # The child inherits the listening socket as descriptor 3, and no other descriptor.
    os.dup2(listener.fileno(), 3)
    os.set_inheritable(3, True)
    os.execv(server[0], server)


def stop(process):
    os.kill(process, signal.SIGTERM)
    status = os.waitpid(process, 0)[1]
    if status:
        print("stopped with", status, flush=True)


def hear(until):
    """Prints notifications until this time; false if no more can come."""
    global notices_left
    while notices_left and (left := until - time.monotonic()) > 0:
        ready = select.select([notices, sys.stdin], [], [], left)[0]
        if sys.stdin in ready and not sys.stdin.readline():
            return False
        if notices in ready:
            print(notices.recv(4096).decode(), flush=True)
            notices_left -= 1
    return notices_left > 0


process = start()
if restarts:
    hear(time.monotonic() + 1)
for _ in range(restarts):
    if not hear(time.monotonic() + 0.3):
        break
    stop(process)
    process = start()
hear(time.monotonic() + 60)
stop(process)
