#!/usr/bin/env python3
"""The battery's behaviours with the preload and without it. Argument: the build directory. Without the preload `ip` is
a script that does what the test server's engine does; real_… behaviours run the real ip and a real server. Needs root."""

import ctypes
import glob
import os
import re
import shutil
import subprocess
import unittest

import preload_case
from preload_case import BUILD, LIMIT, PRELOAD, PROGRAMS, SERVER

BATTERY = os.path.join(BUILD, "preload/tests/preload_battery")
SOURCES = sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "battery/*.c")))
ROW = "x" * 99
SCRIPT = f"""#!/bin/sh
case $2 in
out) yes {ROW} | head -c "$3" ;;
status) exit "$3" ;;
sleep) exec sleep 0."$3" ;;
devices) cat "/proc/sys/net/ipv4/conf/$3/forwarding" 2>/dev/null || echo none ;;
esac
"""


# Quiet in the shells and commands that it starts.
EARLY_AND_LATE = """
#include <stdio.h>
#include <stdlib.h>
static int quiet;
static void call(void) {
    if (quiet) return;
    printf("%d\\n", system("ip test status 6"));
    fflush(stdout);
}
__attribute__((constructor)) static void early(void) {
    quiet = getenv("EARLY") != NULL;
    setenv("EARLY", "1", 1);
    call();
}
__attribute__((destructor)) static void late(void) { call(); }
"""


class BatteryCase(preload_case.PreloadTest):
    def setUp(self):
        super().setUp()
        os.chmod(self.directory, 0o755)
        self.script = self.directory + "/bin"
        os.mkdir(self.script)
        shutil.copy(os.path.join(BUILD, "preload/tests/preload_script"), self.script + "/ip")
        with open(self.script + "/ip.sh", "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        open(self.trace, "w", encoding="utf-8").close()
        os.chmod(self.trace, 0o666)  # for who isn't root any more

    def run_one(self, behaviour, preload, program=BATTERY, **more):
        path = os.environ["PATH"] if behaviour.startswith("real_") else f"{self.script}:{os.environ['PATH']}"
        done = subprocess.run(
            [program, behaviour],
            env=self.environment(preload, PATH=path, **more),
            timeout=LIMIT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        return done.stdout.decode(), done.stderr.decode(), done.returncode

    def fates(self, *ways):
        """The calls' fates: a set of ("native", "") and ("fallback", reason)."""
        return {(how, why if how != "native" else "") for _, how, _, why in self.traced(*ways)}

    def compare(self, behaviour, **more):
        self.assertEqual(self.run_one(behaviour, True, **more), self.run_one(behaviour, False, **more))
        return self.fates(*WAYS.get(behaviour.split("_", maxsplit=1)[0], ()))


WAYS = {"exec": ("exec",), "spawn": ("spawn",)}  # what a behaviour is about, by its name
NATIVE = {("native", "")}
TAKES_NOTHING = ("fallback", "stdout or stderr takes nothing")
WAITS = ("fallback", "its output would have to wait for its reader")
FATES = {
    "exec_missing": set(),
    "exec_vforks": NATIVE | {WAITS},
    "exec_full_pipes": NATIVE | {TAKES_NOTHING},
    "exec_closed": NATIVE | {TAKES_NOTHING},
    "exec_refused": {TAKES_NOTHING, ("fallback", "its output can't be written")},
    "exec_environment": NATIVE | {("fallback", "disabled"), ("fallback", "variable HZ")},
    "exec_threads": {("fallback", "other threads")},
    "exec_shells": NATIVE | {("fallback", "not a test"), ("fallback", "no plain command of ip, bridge or a shell")},
    "exec_others": set(),
    "exec_bad_pointers": {("fallback", "bad pointers")},
    "exec_too_large": {("fallback", "large arguments or environment")},
    "exec_tells_failure": {("fallback", "not a test")},
    "exec_shared_table": {("fallback", "not a test")},
    "spawn_actions": NATIVE | {WAITS},
    "spawn_failures": set(),
    "spawn_random_actions": NATIVE | {TAKES_NOTHING},
    "spawn_directory": set(),
    "modes": NATIVE | {("fallback", "mode"), ("fallback", "no plain batch")},
    "reuse": NATIVE | {("fallback", "no ip or bridge")},
    "later_children": NATIVE | {("fallback", "no ip or bridge")},
    "namespaces": NATIVE | {("fallback", "not a test")},
    "entered_namespaces": NATIVE | {("fallback", "not a test")},
    "empty_root": set(),  # the trace's path isn't there either
    "environment": NATIVE | {("fallback", "not a test")},
    "killed_for_sockets": {("fallback", "a filter would kill it")},
    "unprivileged": {("fallback", "no server")},  # whose socket is root's
    "exhausted": None,  # how far each gets is its own: only the transcript counts
}
BOTH = "opened 10\nsystem 768 -\nfileno 3\nbytes 250\npclose 0 -\n"
# Behaviours that differ: the transcript of each side, and why.
DECLARED = {
    "counting_handler": (
        "system 768 -\nSIGCHLD 1\nbytes 0\npclose 1024 -\nSIGCHLD 2\n",
        "system 768 -\nSIGCHLD 0\nbytes 0\npclose 1024 -\nSIGCHLD 0\n",
        "no child, no SIGCHLD, unless NLSH_SIGCHLD=1",
    ),
    "blocked": ("system 768 -\nSIGCHLD pending 1\n", "system 768 -\nSIGCHLD pending 0\n", "likewise"),
    "reaping_handler": (
        "system 768 -\npclose -1 No child processes\n",
        "system 768 -\npclose 1024 -\n",
        "no handler reaps our status away",
    ),
    "interrupt_key": (
        "system 0 -\nSIGINT 0\n",
        "system 0 -\nSIGINT 1\n",
        "dispositions are the process's, not the thread's: we don't touch them",
    ),
    "cancel_at_once": ("at once 1\n", "at once 0\n", "the server's command isn't killed: the thread ends after it"),
    "closed_under_streams": (
        "small 0 -\nbig 36096 -\n" + BOTH,
        "small 0 -\nbig -1 No child processes\n" + BOTH,
        "with our socket the program has closed what the status would have come by",
    ),
    "nested": (None, "all well 1\n", "libc deadlocks: its system() holds a lock"),
}
BEHAVIOURS = subprocess.run([BATTERY], check=True, capture_output=True, text=True, timeout=LIMIT).stdout.split()


class Battery(BatteryCase):
    def setUp(self):
        super().setUp()
        self.start()

    def test_other_programs(self):
        """Programs that the loader doesn't preload into aren't touched."""
        copy = self.directory + "/copy"
        shutil.copy(BATTERY, copy)
        os.chown(copy, 65534, 65534)
        os.chmod(copy, 0o4755)
        self.assertEqual(self.compare("both", program=copy), set())
        os.chown(copy, 0, 0)
        os.chmod(copy, 0o755)
        subprocess.run(["setcap", "cap_net_raw+ep", copy], check=True, timeout=LIMIT)
        done = subprocess.run(
            ["setpriv", "--reuid=65534", copy, "both"], env=self.environment(), timeout=LIMIT, capture_output=True, check=True
        )
        self.assertIn(b"system", done.stdout)
        self.assertEqual(self.fates(), set())
        static = self.directory + "/static"
        subprocess.run(["cc", "-D_GNU_SOURCE", "-static", "-o", static, *SOURCES], check=True, timeout=LIMIT)
        self.assertEqual(self.compare("both", program=static), set())

    @unittest.skipUnless(shutil.which("musl-gcc"), "musl-gcc isn't installed")
    def test_musl(self):
        """A program with another libc is served."""
        program = self.directory + "/musl"
        triplet = subprocess.run(["gcc", "-print-multiarch"], check=True, capture_output=True, text=True).stdout.strip()
        subprocess.run(
            ["musl-gcc", "-D_GNU_SOURCE", "-idirafter", "/usr/include", "-idirafter", "/usr/include/" + triplet, "-o", program, *SOURCES],
            check=True,
            timeout=LIMIT,
        )
        for behaviour in ("both", "forks", "signal_handler"):
            with self.subTest(behaviour):
                self.assertEqual(self.compare(behaviour, program=program), NATIVE)

    def test_before_our_constructor_and_after_us(self):
        early = self.directory + "/early"
        with open(early + ".c", "w", encoding="utf-8") as file:
            file.write(EARLY_AND_LATE)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", early + ".so", early + ".c"], check=True, timeout=LIMIT)
        with_ours = self.run_one("both", False, LD_PRELOAD=f"{PRELOAD}:{early}.so")
        self.assertEqual(with_ours, self.run_one("both", False, LD_PRELOAD=early + ".so"))
        self.assertEqual(with_ours[0].count("1536\n"), 2)

    def test_sigchld_on_request(self):
        for behaviour in ("counting_handler", "blocked"):
            self.assertEqual(self.run_one(behaviour, True, NLSH_SIGCHLD="1"), (DECLARED[behaviour][0], "", 0))
        self.assertEqual(self.fates(), NATIVE)


class RealBattery(BatteryCase):
    """The real ip, a real server, a new network namespace."""

    server_command = [os.path.join(BUILD, "nlsh"), "serve", "--socket"]

    def setUp(self):
        super().setUp()
        self.start()

    def test_rights(self):
        plain = self.run_one("real_rights", False)
        self.assertEqual(self.run_one("real_rights", True), plain)
        self.assertEqual(plain[0].count("add 512"), 5)
        popens = [how for way, how, _, _ in self.traced() if way == "popen"]
        # root, no_new_privs, and a capability that is inheritable though out of the bounding set
        self.assertEqual(popens.count("native"), 3, self.traced())
        reasons = {reason for *_, reason in self.traced()}
        self.assertLessEqual({"an exec would gain CAP_NET_ADMIN", "an exec would lose CAP_NET_ADMIN", "different uids"}, reasons)


class SpawnedBattery(BatteryCase):
    """Without a server nlsh is spawned in the shell's place: a child as the shell is, so that nothing differs at all."""

    program = SERVER
    usual = {"native"}
    # A spawned system() gives way to libc's own, whose dispositions it would undo: where threads meet.
    chance = {"many_threads": {"fallback"}}
    expected = {
        "empty_root": set(),  # the trace's path isn't there either
        "exhausted": None,
        "environment": set(),  # it is empty: nlsh knows of no trace
        "cancel_at_once": set(),  # a killed nlsh writes no trace
        "interrupt_key": None,
        "closed": {"native", "fallback"},  # with a closed stdout or stderr nlsh leaves the line to the shell
        "killed_for_sockets": {"fallback"},  # nlsh asks a child first
        # what `ip test` doesn't do, and what the preload doesn't look at
        **dict.fromkeys(("entered_namespaces", "later_children", "modes", "namespaces", "reuse"), {"native", "fallback"}),
    }


class SpawnedFallbackBattery(BatteryCase):
    """The same by an nlsh that knows no `ip test`: it becomes the shell."""

    program = os.path.join(PROGRAMS, "nlsh")
    usual = {"fallback"}
    chance = {}
    expected = {
        "empty_root": set(),
        "environment": set(),
        "exhausted": None,
        **dict.fromkeys(("entered_namespaces", "namespaces"), {"native", "fallback"}),  # they run `ip link`, too
    }


class SpawnedExecBattery(BatteryCase):
    """exec and posix_spawn of shells without a server: nlsh takes their place, or falls back to them."""

    program = SERVER


@preload_case.needs_mounts
class VforkBattery(BatteryCase):
    """The same, in a mount namespace with another root that has the same files, except /run/netns."""

    server_command = RealBattery.server_command

    def setUp(self):
        super().setUp()
        self.assertEqual(ctypes.CDLL(None).unshare(0x20000), 0)
        os.environ["OTHER_ROOT"] = other = os.path.join(self.directory, "root")
        os.mkdir(other)
        for command in (
            ("--make-rprivate", "/"),
            ("--rbind", "/", other),
            ("-t", "tmpfs", "tmpfs", other + "/run/netns"),
            ("-t", "tmpfs", "tmpfs", "/run/netns"),
        ):
            if command[0] == "-t":
                os.makedirs("/run/netns", exist_ok=True)
            subprocess.run(["mount", *command], check=True)
        open("/run/netns/vforks", "w", encoding="utf-8").close()
        subprocess.run(["mount", "--bind", "/proc/self/ns/net", "/run/netns/vforks"], check=True)
        self.start()

    def tearDown(self):
        for mount in "/run/netns", os.environ["OTHER_ROOT"]:
            subprocess.run(["umount", "-l", mount], check=True)
        super().tearDown()

    def test_vforks(self):
        plain = self.run_one("real_vforks", False)
        out, error, status = self.run_one("real_vforks", True)
        # A process that enters a mount namespace leaves a chroot, in which the test may be, and finds no preload outside.
        error, outside = re.subn(r"^ERROR: ld\.so: object .* cannot be preloaded .*\n", "", error, flags=re.M)
        self.assertEqual((out, error, status), plain)
        self.assertEqual(plain[0].count("is up 0"), 10, plain[0])
        fates = [(how, reason) for _, how, _, reason in self.traced("exec")]
        # A filter that lets all through counts as its parent's lack of one (SECURITY.md).
        self.assertEqual([how for how, _ in fates].count("native"), 12 - outside, fates)


def add_behaviour(name):
    def test(self):
        if name in DECLARED:
            plain, ours, _ = DECLARED[name]
            if plain is not None:
                self.assertEqual(self.run_one(name, False), (plain, "", 0))
            self.assertEqual(self.run_one(name, True), (ours, "", 0))
            self.assertEqual(self.fates(), FATES.get(name, NATIVE))
            return
        fates, expected = self.compare(name), FATES.get(name, NATIVE)
        if expected is not None:
            self.assertEqual(fates, expected)

    setattr(Battery, "test_" + name, test)


def add_spawned(case, name):
    def test(self):
        fates = self.compare(name)
        expected = case.expected.get(name, case.usual)
        if expected is not None:
            self.assertEqual({how for how, _ in fates} - case.chance.get(name, set()), expected, fates)

    setattr(case, "test_" + name, test)


def add_compared(case, name):
    def test(self):
        self.compare(name)

    setattr(case, "test_" + name, test)


# nested: libc deadlocks. exec_…, spawn_…: not popen and system.
SPAWNED = [name for name in BEHAVIOURS if not name.startswith(("real_", "exec_", "spawn_")) and name != "nested"]

for behaviour in BEHAVIOURS:
    if not behaviour.startswith("real_"):
        add_behaviour(behaviour)
for behaviour in SPAWNED:
    add_spawned(SpawnedBattery, behaviour)
    add_spawned(SpawnedFallbackBattery, behaviour)

for behaviour in BEHAVIOURS:
    if behaviour.startswith(("exec_", "spawn_")):
        add_compared(SpawnedExecBattery, behaviour)

if __name__ == "__main__":
    preload_case.main()
