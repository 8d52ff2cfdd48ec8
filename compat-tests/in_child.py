"""For tests: the settings of a child process."""

import os


def in_child(action) -> str:
    """The repr of action()'s result, run in a child, so that its changes to the process stay there. Empty: it failed."""
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
