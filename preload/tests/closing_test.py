#!/usr/bin/env python3
"""Another thread of the program closes descriptors that it hasn't opened, the kept connection's among them. A show is run again;
of a change whose answer is lost the caller learns that it was killed. Argument: the build directory; NLSH_CLOSED: the number of
calls. Needs root."""

import os
import subprocess

import preload_case

CLOSER = os.path.join(preload_case.BUILD, "preload/tests/preload_closer")
TIMES = int(os.environ.get("NLSH_CLOSED", "5000"))
CALLS_A_SECOND = 100  # at least, on a busy machine
RUNS = 3  # in one of some dozens the two threads fall into step, and a few per cent of the changes are killed


class Closing(preload_case.PreloadTest):
    server_command = [os.path.join(preload_case.BUILD, "nlsh"), "serve", "--socket"]
    program = os.path.join(preload_case.BUILD, "nlsh")

    def run_closer(self, times, first, last, **more):
        done = subprocess.run(
            ["unshare", "-n", CLOSER, str(times), str(first), str(last)],
            env=self.environment(NLSH_TRACE="", **more),
            capture_output=True,
            text=True,
            timeout=preload_case.LIMIT + 2 * times / CALLS_A_SECOND,
            check=True,
        )
        return dict(zip(done.stdout.split()[::2], map(int, done.stdout.split()[1::2]), strict=True))

    def test_server(self):
        self.start()
        killed = []
        for _ in range(RUNS):
            seen = self.run_closer(TIMES, 60, 139)
            print(f"{TIMES} shows and {TIMES} changes: {seen}")
            self.assertEqual((seen["shows"], seen["others"]), (0, 0))
            killed.append(seen["killed"])
        self.assertLess(min(killed), TIMES / 100)

    def test_without_a_server(self):
        self.assertEqual(self.run_closer(100, 60, 139), {"shows": 0, "killed": 0, "others": 0})


if __name__ == "__main__":
    preload_case.main()
