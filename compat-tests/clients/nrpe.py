# Starts nrpe (argument: its path) and sends it version 2 requests for its commands, as check_nrpe -n does.
import os
import socket
import struct
import subprocess
import sys
import time
import zlib

nrpe = subprocess.Popen([sys.argv[1], "-c", os.path.dirname(os.path.abspath(__file__)) + "/nrpe.cfg", "-n", "-f"])
try:
    for command in ("links", "change"):
        for _ in range(100):
            try:
                connection = socket.create_connection(("127.0.0.1", 15666), 10)
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
        packet = struct.Struct(">hhIh1024s2s")
        text = command.encode()
        crc = zlib.crc32(packet.pack(2, 1, 0, 0, text, b""))
        connection.sendall(packet.pack(2, 1, crc, 0, text, b""))
        answer = b""
        while len(answer) < packet.size and (got := connection.recv(4096)):
            answer += got
        _, _, _, result, text, _ = packet.unpack(answer)
        print(command, result, text.rstrip(b"\0").decode())
finally:
    nrpe.terminate()
    nrpe.wait(10)
