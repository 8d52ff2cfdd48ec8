"""Runs test code in a child process."""

import os


def in_child(action) -> str:
    """Runs action() in a child, so that its changes stay there; returns the repr of its result, or "" if it failed."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(write_end, repr(action()).encode())
        finally:
            os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return text
