"""activate.py SOCKET PROGRAM…: acts as systemd does for a socket unit with PassCredentials=yes: listens, and execs PROGRAM at the first
connection."""

import os
import select
import socket
import sys

listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
listener.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
listener.bind(sys.argv[1])
listener.listen()
select.select([listener], [], [])
os.dup2(listener.fileno(), 3)  # SD_LISTEN_FDS_START, sd_listen_fds(3)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[2], sys.argv[2:])
