"""A caller gets the rights of its own exec'd ip: no more, no less. The server declines callers without these rights."""

import subprocess

from nlsh_test.place import NAMES

from . import bench

# Prefixes of the command that runs a line. Each runs with the preload and without.
CALLERS = {
    "root": [],
    "nobody": ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"],
    "root without CAP_NET_ADMIN": ["setpriv", "--bounding-set=-net_admin", "--inh-caps=-net_admin"],
    "root without any capability": ["setpriv", "--bounding-set=-all", "--inh-caps=-all"],
    "nobody with ambient CAP_NET_ADMIN": ["setpriv", "--reuid=65534", "--inh-caps=+net_admin", "--ambient-caps=+net_admin"],
    "root of a user namespace": ["unshare", "-U", "--map-root-user"],
    "root of a user namespace with its own network": ["unshare", "-U", "--map-root-user", "-n"],
    "another mount namespace, the same mounts": ["unshare", "-m"],
    "another mount namespace, other files": ["unshare", "-m", "sh", "-c", f'mount -t tmpfs none {NAMES} && exec "$@"', "sh"],
    "read-only /proc/sys": ["unshare", "-m", "sh", "-c", 'mount --bind -r /proc/sys /proc/sys && exec "$@"', "sh"],
    "another root directory": ["chroot", "/proc/self/root"],
    "another network namespace": ["unshare", "-n"],
    "another pid namespace": ["unshare", "-p", "-f"],
}
SERVED = {
    "root",
    "another mount namespace, the same mounts",
    "another root directory",
    "another network namespace",
    "another pid namespace",
}
LINES = (
    "ip link set lo up",
    "ip link set lo mtu 60000 && ip link show lo",
    "ip addr add 127.0.0.5/8 dev lo",
    "ip addr del 127.0.0.5/8 dev lo",
    "bridge fdb show",
    "ip netns list",
)
_RUN = """
import ctypes, sys
for line in sys.argv[1:]:
    print(line, ctypes.CDLL(None).system(line.encode()), flush=True)
    print(line, file=sys.stderr, flush=True)
"""
# Sends a raw request, without the preload's own checks, and prints the reply's type.
_RAW = f"""
import sys
sys.path.insert(0, {str(bench.ROOT / "compat-tests")!r})
from safety import bench
with bench.Peer() as peer:
    peer.send(bench.request(b"ip link add name stolen type bridge"))
    print(peer.reply())
"""


class Rights(bench.WithServer):
    def run_lines(self, caller: list[str], preload: bool) -> tuple[int, str, str]:
        environment = ["env", f"LD_PRELOAD={bench.PRELOAD}", f"NLSH_SOCKET={bench.SOCKET}"] if preload else []
        return bench.python(_RUN, *LINES, prefix=[*caller, *environment])

    def test_each_caller_gets_what_its_exec_would(self):
        for name, caller in CALLERS.items():
            with self.subTest(name):  # all lines together change nothing, so the second run finds what the first did
                self.run_lines(caller, False)
                self.assertEqual(self.run_lines(caller, False), self.run_lines(caller, True))

    def test_the_server_itself_refuses(self):
        subprocess.run("chmod 0666 /run/nlsh/nlsh.sock.*", shell=True, check=True)  # let other users connect
        for name, caller in CALLERS.items():
            if name in SERVED:
                continue
            with self.subTest(name):
                _, out, error = bench.python(_RAW, prefix=caller)
                self.assertEqual(out.strip(), str(bench.DECLINED), error)
                self.assertNotIn("stolen", bench.ip("link"))

    def test_sockets_are_roots(self):
        listing = subprocess.run("stat -c '%a %u' /run/nlsh /run/nlsh/nlsh.sock.lock", shell=True, capture_output=True, text=True)
        self.assertEqual(listing.stdout.split("\n")[:2], ["755 0", "600 0"])
        self.assertEqual(subprocess.run(["find", "/run/nlsh", "-type", "s", "-perm", "/077"], capture_output=True).stdout, b"")
