#!/usr/bin/env python3
"""popen and system by the preload: what is native, and what falls back. Argument: the build directory."""

import os
import subprocess
import time

import preload_case
from nlsh_test import kept_namespaces, waiting
from nlsh_test.place import NAMES
from preload_case import CLIENT, LIMIT, PreloadTest


class Native(PreloadTest):
    def test_status(self):
        self.start()
        self.assertEqual(self.client("system", "ip test status 3").seen, {"system": 3 << 8})
        popen = self.client("popen", "ip test status 4").seen
        self.assertEqual(popen["status"], 4 << 8)
        self.assertEqual([t[1] for t in self.traced()], ["native", "native"])

    def test_descriptor_is_the_one_that_libc_gives(self):
        self.start()
        ours = self.client("popen", "ip test out 20").seen
        libc = self.client("popen", "echo x", preload=False).seen
        self.assertEqual((ours["fd"], ours["cloexec"]), (libc["fd"], libc["cloexec"]))
        streamed = self.client("popen", "ip test out 20000").seen
        self.assertEqual((streamed["fd"], streamed["cloexec"]), (libc["fd"], libc["cloexec"]))

    def test_output_of_every_size(self):
        self.start()
        for size in (0, 1, 4095, 4096, 4097, 65536, 65537, 3_000_000):
            for how in ("popen", "slow"):
                result = self.client(how, f"ip test out {size}")
                self.assertEqual(len(result.out), size)
                self.assertEqual(result.seen["status"], 0)
        self.assertEqual(len(self.client("system", "ip test out 200000").out), 200000)

    def test_stderr(self):
        self.start()
        for how in ("popen", "system"):
            result = self.client(how, "ip test err no such thing")
            self.assertEqual(result.err, b"no such thing\n")
            self.assertEqual(result.seen.get("status", result.seen.get("system")), 2 << 8)
        self.assertIn("no such thing", self.traced()[1][3])

    def test_reader_that_leaves(self):
        self.start()
        self.assertEqual(self.client("early", "ip test out 3000000").seen["status"], 141 << 8)
        ignored = self.client("early", "ip test out 3000000", "ignore-sigpipe")
        self.assertEqual(ignored.seen["status"], 0)
        self.assertEqual(self.client("early", "ip test out 2000").seen["status"], 0)

    def test_fclose_gives_the_status(self):
        self.start()
        self.assertEqual(self.client("fclose", "ip test status 5").seen["status"], 5 << 8)
        libc = self.client("fclose", "exit 5", preload=False).seen
        self.assertEqual(libc["status"], 5 << 8)

    def test_sigchld_ignored(self):
        self.start()
        for how, command in (("system", "ip test status 0"), ("popen", "ip test out 20")):
            ours = self.client(how, command, "ignore-sigchld").seen
            libc = self.client(how, "true", "ignore-sigchld", preload=False).seen
            name = "status" if how == "popen" else "system"
            self.assertEqual((ours[name], libc[name]), ("No child processes",) * 2)

    def test_fork(self):
        self.start()
        for size in (20, 50000):
            ours = self.client("fork", f"ip test out {size}").seen
            self.assertEqual(ours, {"child": "No child processes", "bytes": size, "parent": 0})
        libc = self.client("fork", "printf %020d 0", preload=False).seen
        self.assertEqual(libc, {"child": "No child processes", "bytes": 20, "parent": 0})

    def test_threads(self):
        self.start()
        self.assertEqual(self.client("threads", "ip test out 100").seen, {"errors": 0})

    def test_slow_readers_hold_nobody_up(self):
        self.start()
        readers = [
            subprocess.Popen(
                [CLIENT, "slow", "ip test out 300000"], env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            for _ in range(12)
        ]
        started = time.monotonic()
        self.assertEqual(self.client("system", "ip test status 0").seen, {"system": 0})
        self.assertLess(time.monotonic() - started, 5)
        for reader in readers:
            reader.wait(LIMIT)

    def test_namespace_is_the_callers(self):
        self.start()
        probe = "/proc/sys/net/ipv4/conf/nlsht0/forwarding"
        setup = f'ip link add nlsht0 type bridge && test -f {probe} && exec "$@"'
        inside = self.client("popen", "ip test devices nlsht0", wrap=("unshare", "-n", "sh", "-c", setup, "sh"))
        self.assertIn(inside.out, (b"0\n", b"1\n"), inside.err)
        self.assertEqual(self.client("popen", "ip test devices nlsht0").out, b"none\n")

    def test_served_namespace_dies_with_its_last_process(self):
        self.start()
        last = subprocess.Popen(["unshare", "-n", "sh", "-c", "echo; exec sleep 600"], stdout=subprocess.PIPE)
        try:
            last.stdout.readline()
            there = os.stat(f"/proc/{last.pid}/ns/net").st_ino
            result = self.client("system", "ip test mtu", wrap=("nsenter", "-t", str(last.pid), "-n"))
            self.assertEqual(result.seen["system"], 0, result.err)
            self.assertEqual(self.traced()[0][1], "native")
            # The kernel frees a namespace late on a busy machine: what keeps it is looked at instead.
            self.assertTrue(kept_namespaces.keeps(self.servers[0].pid, there))
        finally:
            last.kill()
            last.wait()
            last.stdout.close()
        waiting.wait_for(lambda: not kept_namespaces.keeps(self.servers[0].pid, there), LIMIT)


class Fallback(PreloadTest):
    def test_no_server(self):
        self.assertEqual(self.client("popen", "echo ip; exit 3").seen["status"], 3 << 8)
        self.assertEqual(self.client("system", "exit 3; ip").seen["system"], 3 << 8)
        self.assert_fallback("no server")

    def test_declined(self):
        self.start()
        result = self.client("popen", "echo ip; exit 3")
        self.assertEqual((result.out, result.seen["status"]), (b"ip\n", 3 << 8))
        self.assert_fallback("not a test")

    def test_what_may_be_ours(self):
        for line in (": /sbin/ip", ': "$(: ip)"', ":;bridge -V >/dev/null", ": ip;", ": sysctl", ": /proc/sys/net/x", "! ip -V >/dev/null"):
            self.client("system", line)
        self.assert_fallback("no server")

    def test_what_is_not_ours(self):
        self.start()
        for line in (": tip zip bridges ips", ": ip-x x-ip", "", ": bridge.sh /proc/system"):
            self.client("popen", line)
        self.assert_fallback("no ip or bridge")

    def test_variables_decline(self):
        self.start()
        self.client("system", "ip test status 0", HZ="100")
        self.assert_fallback("variable HZ")

    def test_privilege(self):
        self.start()
        for option in ("nobody", "euid"):
            ours = self.client("system", "ip test status 3", option).seen
            libc = self.client("system", "ip test status 3", option, preload=False).seen
            self.assertEqual(ours, libc)
        self.client("system", "ip test status 0", wrap=("setpriv", "--bounding-set=-net_admin", "--"))
        self.assert_fallback("peer has no CAP_NET_ADMIN as we have it")

    @preload_case.needs_mounts
    def test_another_mount_namespace_or_root(self):
        self.start()
        other_files = f'mount -t tmpfs none {NAMES} && exec "$@"'
        self.client("system", "ip test status 0", wrap=("unshare", "-m", "sh", "-c", other_files, "sh"))
        self.client("system", "ip test status 0", wrap=("unshare", "-U", "-r"))
        for _, how, _, why in self.traced():
            self.assertEqual(how, "fallback")
            self.assertRegex(why, "another root or mount|no CAP_NET_ADMIN|not root|no server")

    def test_no_descriptors_left(self):
        self.start()
        for command in ("ip test out 20", "echo ip"):
            ours = self.client("popen", command, "few-files").seen
            libc = self.client("popen", command, "few-files", preload=False).seen
            self.assertEqual(ours, libc)

    def test_more_streams_than_slots(self):
        self.start()
        self.assertEqual(self.client("many", "true ip").seen, {"opened": 100, "good": 100})

    def test_disabled(self):
        self.start()
        self.client("system", "ip test status 0", NLSH_DISABLE="1")
        self.assert_fallback("disabled")


if __name__ == "__main__":
    preload_case.main()
