"""Waits until a condition holds."""

import time


class InVain(RuntimeError):
    pass


def wait_for(ready, seconds: float = 10):
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise InVain(f"waited in vain for {seconds} s")
        time.sleep(0.002)
