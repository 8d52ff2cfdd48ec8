# Asks 127.0.0.1, port argv[1], for the address of argv[2].
import socket
import struct
import sys
import time

name = b"".join(bytes([len(label)]) + label for label in sys.argv[2].encode().split(b".")) + b"\0"
query = struct.pack(">6H", 7, 0x100, 1, 0, 0, 0) + name + struct.pack(">2H", 1, 1)
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
    asker.settimeout(1)
    asker.connect(("127.0.0.1", int(sys.argv[1])))
    for _ in range(100):
        try:
            asker.send(query)
            answer = asker.recv(512)
            break
        except (ConnectionRefusedError, TimeoutError):
            time.sleep(0.05)
print(socket.inet_ntoa(answer[-4:]))
