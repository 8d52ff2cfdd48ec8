#!/usr/bin/env python3
"""Without a server: nlsh, exec'd in the place of ip, bridge and shells, attacked. Callers of random surroundings (limits, signals,
descriptors, filters of system calls, users, outputs, ways to exec) run with and without the preload, and both must see the same.
Arguments: the build directory, then the number of callers and a seed. Needs root."""

import json
import os
import random
import sys
import unittest

import spawned_test  # takes the build directory from the arguments

CALLERS = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 120
SEED = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 1

# One caller after the other, by fork: each sets up its surroundings, and becomes a program.
PROGRAM = r"""
import errno, json, random, select, socket, struct, subprocess
def bpf(*rules):
    code = [(0x20, 0, 0, 0)]
    for number, action in rules: code += [(0x15, 0, 1, number), (0x06, 0, 0, action)]
    code += [(0x06, 0, 0, 0x7fff0000)]
    raw = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in code))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code), ctypes.addressof(raw)))
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program): raise OSError("no filter")
KILL, TRAP, ERROR = 0x80000000, 0x00030000, 0x00050001
EXECVE, FACCESSAT2, CLONE, SOCKET, PRCTL, UNSHARE = 59, 439, 56, 41, 157, 272
FILTERS = {"none": (), "exec killed": ((EXECVE, KILL),), "exec refused": ((EXECVE, ERROR),), "exec trapped": ((EXECVE, TRAP),), "all allowed": ((999, KILL),),
           "faccessat2": ((FACCESSAT2, ERROR),), "unshare": ((UNSHARE, ERROR),), "socket": ((SOCKET, ERROR),)}
LIMITS = {"AS": resource.RLIMIT_AS, "DATA": resource.RLIMIT_DATA, "STACK": resource.RLIMIT_STACK, "NOFILE": resource.RLIMIT_NOFILE,
          "FSIZE": resource.RLIMIT_FSIZE, "NPROC": resource.RLIMIT_NPROC, "CORE": resource.RLIMIT_CORE}
def outputs(kind):
    if kind == "pipe": return os.pipe()
    if kind == "socket": return [each.detach() for each in socket.socketpair()]
    read, write = os.pipe()
    if kind == "no reader":
        os.close(read)
        return None, write
    os.close(read); os.close(write)
    if kind == "full": return None, os.open("/dev/full", os.O_WRONLY)
    name = os.environ["DIRECTORY"] + "/out"
    return name, os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
def become(case):
    for number in case["ignored"]: signal.signal(number, signal.SIG_IGN)
    for number in case["handled"]: signal.signal(number, lambda *_: os.write(1, b"handled"))
    for number in case["blocked"]: signal.pthread_sigmask(signal.SIG_BLOCK, [number])
    for number in case["pending"]: os.kill(os.getpid(), number)
    if case["thread"]: threading.Thread(target=time.sleep, args=[5], daemon=True).start()
    if case["user"]: os.setgroups([]); os.setgid(case["user"]); os.setuid(case["user"])
    if case["filter"] != "none": bpf(*FILTERS[case["filter"]])
    file, *words = case["words"]
    environment = os.environ if case["environment"] is None else case["environment"]
    for number in case["closed"]: os.close(number)
    if case["limit"]:
        name, value = case["limit"]
        resource.setrlimit(LIMITS[name], (value, value))
    if case["way"] == "execv" or case["environment"] is not None: os.execve(file, words, environment)
    if case["way"] == "execvp": os.execvp(os.path.basename(file), words)
    if case["way"] == "spawn":
        child = os.posix_spawn(file, words, environment)
    if case["way"] == "vfork":
        started = subprocess.Popen(words, executable=file, close_fds=False)  # kept: its end would wait
        child = started.pid
    status = os.waitpid(child, 0)[1]
    os.write(1, f"child {status}".encode())
    os._exit(0)
def run(case):
    for user in (0, 65532):  # what an earlier one has left to its program is forgotten
        if os.path.exists(f"/dev/shm/nlsh-{user}"): os.unlink(f"/dev/shm/nlsh-{user}")
    read, write = outputs(case["output"])
    child = os.fork()
    if child == 0:
        try:
            if isinstance(read, int): os.close(read)
            os.dup2(write, 1); os.dup2(write, 2)
            os.close(write)
            become(case)
        except BaseException as error:
            os.write(1, f"{type(error).__name__} {getattr(error, 'errno', 0)}".encode())
        os._exit(77)
    os.close(write)
    text = b""
    if isinstance(read, int):
        while piece := os.read(read, 65536): text += piece
        os.close(read)
    status = os.waitpid(child, 0)[1]
    if isinstance(read, str):
        with open(read, "rb") as file: text = file.read()
    return status, text
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
with open(os.environ["DIRECTORY"] + "/cases") as file:
    for index, case in enumerate(json.load(file)):
        show(index, *run(case))
"""

LINES = (
    "ip -o link show lo",
    "ip link set lo mtu 1500",
    "ip link set nosuch up",
    "ip link show nosuch || echo no; ip -br link show lo",
    "ip link show lo; nosuch",
    "ip -br link show lo | cut -c1-2",
    "ip xfrm state; exit 3",
    "ip link show lo >/dev/null && echo yes",
)
COMMANDS = (
    "ip -o link show lo",
    "ip link set lo mtu 1500",
    "ip link set nosuch up",
    "ip link show lo up scope 3",
    "ip nonsense",
    "ip link help",
    "bridge link",
    "bridge vlan show dev nosuch",
    "ip -j addr show dev lo",
)


def case(chance):
    pick = chance.choice
    if chance.random() < 0.5:
        words = pick(COMMANDS).split()
        words = [f"/usr/sbin/{words[0]}", *words]
    else:
        file = pick(("/bin/sh", "/bin/sh", "/bin/bash", "/usr/bin/dash"))
        words = [file, pick((file, os.path.basename(file))), "-c", pick(LINES)]
    some = chance.random
    return {
        "words": words,
        "way": pick(("execv", "execv", "execvp", "spawn", "vfork")),
        "environment": pick((None,) * 5 + ({}, {"PATH": "/usr/sbin:/usr/bin", "NO_COLOR": "1"}, {"HZ": "7", "LC_ALL": "de_DE"})),
        "ignored": [13] if some() < 0.3 else [15, 2] if some() < 0.2 else [],
        "handled": [10, 15] if some() < 0.2 else [],
        "blocked": [10, 12] if some() < 0.2 else [],
        "pending": [],
        "thread": some() < 0.1,
        "user": 65532 if some() < 0.25 else 0,
        "filter": pick(("none",) * 8 + ("exec killed", "exec refused", "exec trapped", "all allowed", "faccessat2", "unshare", "socket")),
        "closed": chance.sample((0, 1, 2), chance.randint(1, 3)) if some() < 0.15 else [],
        "limit": pick(
            (None,) * 7
            + (
                ("AS", 20 << 20),
                ("AS", 600 << 20),
                ("DATA", 1 << 20),
                ("STACK", 128 << 10),
                ("STACK", 2 << 20),
                ("NOFILE", 6),
                ("NOFILE", 9),
            )
            + (("NOFILE", 15), ("NOFILE", 17), ("NOFILE", 40), ("FSIZE", 0), ("FSIZE", 1 << 20), ("NPROC", 1), ("CORE", 0))
        ),
        "output": pick(("pipe",) * 5 + ("socket", "no reader", "full", "file")),
    }


class Replaced(unittest.TestCase):
    setUp = spawned_test.Spawned.setUp
    run_program = spawned_test.Spawned.run_program

    def both(self, cases, **more):
        with open(self.directory + "/cases", "w", encoding="utf-8") as file:
            json.dump(cases, file)
        os.chmod(self.directory, 0o777)
        open(self.trace, "w", encoding="utf-8").close()
        os.chmod(self.trace, 0o666)
        plain = self.run_program(PROGRAM, False, **more)
        ours = self.run_program(PROGRAM, True, **more)
        self.assertEqual(plain[2], 0, plain)
        for left, right in zip(plain[0].splitlines(), ours[0].splitlines(), strict=True):
            self.assertEqual(right, left, cases[int(left[1:].split(",")[0])])
        self.assertEqual(ours[1:], plain[1:])
        with open(self.trace, encoding="utf-8") as file:
            return [line.rstrip("\n").split("\t") for line in file]

    def test_random_callers(self):
        chance = random.Random(SEED)
        traced = self.both([case(chance) for _ in range(CALLERS)])
        counts = {}
        for fields in traced:
            key = (fields[0], fields[1], fields[6].split(":")[0])
            counts[key] = counts.get(key, 0) + 1
        print(f"{CALLERS} callers, seed {SEED}: the same; calls: {counts}")
        self.assertGreater(sum(count for (_, how, way), count in counts.items() if (how, way) == ("native", "spawned")), CALLERS // 10)


if __name__ == "__main__":
    unittest.main(verbosity=1)
