"""Compares packaging/python with the real iproute2: output, errors, statuses and network must be the same. Each test has its own
network namespace; python.bats sets the paths of nlsh and libnlsh."""

import errno
import itertools
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

import nlsh

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from nlsh_test.calls import enter_network
from nlsh_test.server import Server

LINES = (
    "ip link add br0 address 02:00:00:00:00:01 type bridge && ip link set br0 up",
    "ip link add v0 address 02:00:00:00:00:02 type veth peer name v1 address 02:00:00:00:00:03",
    "ip link set v0 master br0; ip link set v0 up; ip link set v1 up",
    "ip addr add 10.9.1.1/24 dev br0 && ip route add 10.9.2.0/24 via 10.9.1.9",
    "ip neigh replace 10.9.1.7 lladdr 02:00:00:00:00:07 dev br0",
    "bridge fdb add 02:00:00:00:00:09 dev v0 master static",
    "ip -o link show type veth | cut -d' ' -f1-2",
    "ip -j -4 addr show br0 | sed 's/.*addr_info/addr_info/'",
    "ip route | grep 10.9.2 | cut -d' ' -f1-3",
    "bridge fdb show dev v0 | grep static",
    "ip link add br0 type bridge",
    "ip link set nosuch up || echo not there",
    "ip route add 10.9.0.0/16 via 10.8.0.1",
    "ip link set dev br0 mtu nonsense",
    "ip frobnicate",
    "ip addr show dev 'a b' 2>&1",
    "f() { echo $1; }; f 1; f 2; echo why >&2; exit 7",
    "kill -9 $$",
    "printf 'caf\\303\\251 \\377'",
    "",
)
# Excludes states that change later by themselves: carriers, and addresses that a bridge learns.
STATE = (
    "ip -o link | sed 's/<.*> //; s/state [A-Z]*//'; ip -o -4 addr; ip route | sed 's/ linkdown//'; ip neigh; bridge fdb show | grep static"
)


def real(line: str) -> tuple[int, str, str]:
    done = subprocess.run(line, shell=True, capture_output=True, encoding="utf-8", errors="surrogateescape")
    return done.returncode if done.returncode >= 0 else 128 - done.returncode, done.stdout, done.stderr


class Case(unittest.TestCase):
    def setUp(self) -> None:
        enter_network()


class BesideIproute2(Case):
    def test_output_errors_statuses_and_the_network(self) -> None:
        expected = [real(line) for line in LINES]
        state = real(STATE)
        enter_network()
        for line, (status, output, error) in zip(LINES, expected):
            with self.subTest(line):
                result = nlsh.run(line)
                self.assertEqual((result.status, result.output, result.error), (status, output, error))
                self.assertEqual(result.line, line)
        self.assertEqual(real(STATE), state)

    def test_most_of_them_are_native(self) -> None:
        self.assertEqual([line for line in LINES[:14] if nlsh.run(line).fallback], [])


class Results(Case):
    def test_a_failed_chain(self) -> None:
        result = nlsh.run("ip link add br0 type bridge && ip link add br0 type bridge && ip link del br0")
        self.assertEqual(
            result.failures,
            (
                nlsh.Failure(
                    position=2,
                    command="ip link add br0 type bridge",
                    status=2,
                    errno=errno.EEXIST,
                    extack="",
                    message="RTNETLINK answers: File exists",
                ),
            ),
        )
        self.assertEqual((result.status, result.errno, result.extack), (2, errno.EEXIST, ""))

    def test_the_kernels_words(self) -> None:
        result = nlsh.run("ip link set lo up; ip route add 10.9.0.0/16 via 10.8.0.1")
        self.assertEqual(result.extack, "Nexthop has invalid gateway")
        self.assertEqual(str(result.failure), "`ip route add 10.9.0.0/16 via 10.8.0.1`: Nexthop has invalid gateway")

    def test_what_was_made_good_is_told_and_is_no_error(self) -> None:
        result = nlsh.check("ip link del lo || ip link show lo >/dev/null")
        self.assertEqual([each.position for each in result.failures], [1])

    def test_what_the_kernel_did_not_refuse_has_no_errno(self) -> None:
        result = nlsh.run("ip link set dev lo mtu nonsense")
        self.assertNotEqual(result.status, 0)
        self.assertEqual((result.errno, len(result.failures)), (0, 1))

    def test_a_line_that_falls_back_says_why(self) -> None:
        self.assertTrue(nlsh.run("f() { true; }; f").fallback)
        self.assertIsNone(nlsh.run("ip link show lo").fallback)

    def test_bytes_come_back_as_they_were(self) -> None:
        self.assertEqual(nlsh.run("printf '\\377\\000x'").output.encode("utf-8", "surrogateescape"), b"\xff\0x")

    def test_sigchld_ignored_the_status_is_not_known(self) -> None:
        code = (
            "import nlsh, signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN); "
            "print(nlsh.run('f() { true; }; f').status, nlsh.run('ip link set lo up').status)"
        )
        done = subprocess.run([os.environ["PYTHON"], "-c", code], capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr), ("-1 0\n", ""))


class Words(Case):
    def test_no_name_breaks_out_of_its_word(self) -> None:
        for name in ("x; echo injected", "a'b", 'a"b', "$(echo c)", "*", "", "-", "ä", "a\\b", "a\nb"):
            with self.subTest(name):
                self.assertEqual(nlsh.run(["printf", "%s\\n", name]).output, name + "\n")
                done = subprocess.run(["ip", "link", "show", "dev", name], capture_output=True, text=True)
                result = nlsh.run(["ip", "link", "show", "dev", name])
                self.assertEqual((result.status, result.output, result.error), (done.returncode, done.stdout, done.stderr))

    def test_words_are_native(self) -> None:
        self.assertIsNone(nlsh.check(["ip", "link", "set", "dev", "lo", "mtu", "1400"]).fallback)


class Errors(Case):
    def test_check_raises_what_callers_of_subprocess_catch(self) -> None:
        with self.assertRaises(subprocess.CalledProcessError) as caught:
            nlsh.check("echo before; ip link set lo up && ip link add lo type bridge")
        error = caught.exception
        assert isinstance(error, nlsh.CommandError)
        self.assertEqual((error.returncode, error.errno, error.extack), (2, errno.EEXIST, ""))
        self.assertEqual((error.stdout, error.stderr), ("before\n", "RTNETLINK answers: File exists\n"))
        self.assertEqual(error.cmd, "echo before; ip link set lo up && ip link add lo type bridge")
        self.assertEqual(str(error), "status 2, `ip link add lo type bridge`: File exists")
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual((copy.result, str(copy)), (error.result, str(error)))

    def test_check_of_a_line_that_fell_back(self) -> None:
        with self.assertRaises(nlsh.CommandError) as caught:
            nlsh.check("f() { echo no such thing >&2; }; f; exit 3")
        self.assertIn("status 3, `f()", str(caught.exception))
        self.assertTrue(str(caught.exception).endswith("no such thing"))
        self.assertIsNone(caught.exception.failure)

    def test_what_cannot_be_a_line(self) -> None:
        for line in ("ip\0link", [], ["ip", "li\0nk"]):
            self.assertRaises(ValueError, nlsh.run, line)
        for line in (None, 1, b"ip link", [1]):
            self.assertRaises((TypeError, ValueError), nlsh.run, line)

    def test_nothing_has_run_when_a_process_cannot_be_had(self) -> None:
        code = (
            "import nlsh, resource; nlsh.run('ip link set lo up'); resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))\n"
            "try: nlsh.run('f() { echo 1; }; f')\nexcept OSError as error: print(error.errno)"
        )
        done = subprocess.run([os.environ["PYTHON"], "-c", code], capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr), (f"{errno.EMFILE}\n", ""))


class Handles(Case):
    def test_closed_by_with(self) -> None:
        with nlsh.Handle() as handle:
            self.assertEqual(handle.check("ip link set lo up").status, 0)
        self.assertRaises(ValueError, handle.run, "ip link set lo up")
        self.assertRaises(ValueError, handle.__enter__)
        handle.close()

    def test_a_wrong_socket(self) -> None:
        with self.assertRaises(OSError) as caught:
            nlsh.Handle(nlsh.Way.BY_SERVER, socket="/" + "x" * 200)
        self.assertEqual(caught.exception.errno, errno.ENAMETOOLONG)
        self.assertRaises(OSError, nlsh.Handle, nlsh.Way.BY_SERVER, "")
        self.assertRaises(ValueError, nlsh.Handle, nlsh.Way.BY_SERVER, "a\0b")

    def test_without_a_server_the_shell_runs_the_lines(self) -> None:
        handle = nlsh.Handle(nlsh.Way.BY_SERVER, socket="/nonexistent/nlsh.sock")
        result = handle.run("ip -br link show nosuch")
        self.assertEqual((result.status, result.error), (1, 'Device "nosuch" does not exist.\n'))
        self.assertEqual(result.fallback, "no server")

    def test_by_a_server(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            socket = Path(folder, "sock")
            # Python needs the sanitizer's runtime preloaded; the server contains it already.
            server = Server(socket, "--log", "off", program=os.environ["NLSH"], env=os.environ | {"LD_PRELOAD": ""})
            with server, mock.patch.dict(os.environ, NLSH_TIMEOUT_MS="20000"), nlsh.Handle(nlsh.Way.BY_SERVER, socket) as handle:
                result = handle.run("ip link set lo up && ip link add lo type bridge")
                self.assertEqual((result.fallback, result.errno), (None, errno.EEXIST))

    def test_no_descriptor_or_memory_is_kept(self) -> None:
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(50):
            with nlsh.Handle() as handle:
                handle.check("ip link show lo")
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)


class Forks(Case):
    def in_child(self, handle: nlsh.Handle) -> int:
        child = os.fork()
        if child == 0:
            native = False
            try:
                native = handle.check("ip link set lo mtu 1401").fallback is None and nlsh.run("ip link").fallback is None
            finally:
                os._exit(0 if native else 1)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def test_a_forked_child_has_handles_of_its_own(self) -> None:
        with nlsh.Handle() as handle:
            handle.check("ip link set lo mtu 1400")
            self.assertEqual(self.in_child(handle), 0)
            self.assertIn("mtu 1401", nlsh.check("ip link show lo").output)
            self.assertIsNone(handle.check("ip link set lo mtu 1402").fallback)


class Threads(Case):
    def in_threads(self, count: int, work) -> None:
        errors: list[BaseException] = []

        def guarded(number: int) -> None:
            try:
                work(number)
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=guarded, args=[number]) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])

    def test_many_share_a_handle(self) -> None:
        def work(number: int) -> None:
            name = f"b{number}"
            nlsh.check(["ip", "link", "add", name, "type", "bridge"])
            for mtu in range(1300, 1330):
                nlsh.check(f"ip link set {name} mtu {mtu}")
                self.assertIn(f" mtu {mtu} ", nlsh.check(f"ip link show {name}").output)
                self.assertEqual(nlsh.run(f"ip link set {name} up && ip link add {name} type bridge").errno, errno.EEXIST)

        self.in_threads(16, work)

    def test_each_is_in_its_own_namespace(self) -> None:
        def work(number: int) -> None:
            enter_network()
            nlsh.check(f"ip link set lo mtu {1400 + number}")
            for _ in range(20):
                self.assertIn(f" mtu {1400 + number} ", nlsh.check("ip link show lo").output)

        self.in_threads(8, work)

    def test_others_go_on_while_a_line_runs(self) -> None:
        read, write = os.pipe()
        result: list[nlsh.Result] = []
        os.set_inheritable(read, True)  # the line reads it, and ends when this thread has written
        thread = threading.Thread(target=lambda: result.append(nlsh.run(f"read word </proc/{os.getpid()}/fd/{read}; echo $word")))
        thread.start()
        os.write(write, b"released\n")
        thread.join()
        self.assertEqual(result[0].output, "released\n")

    def test_closed_while_others_use_it(self) -> None:
        handle = nlsh.Handle()
        closed = threading.Event()

        def work(number: int) -> None:
            for count in itertools.count():
                if number == 0 and count == 20:
                    handle.close()
                    closed.set()
                try:
                    handle.check("ip link show lo")
                except ValueError:
                    self.assertTrue(closed.wait(60))
                    return

        self.in_threads(8, work)


class Library(unittest.TestCase):
    def test_version(self) -> None:
        self.assertEqual(nlsh.version(), nlsh.__version__)


if __name__ == "__main__":
    unittest.main()
