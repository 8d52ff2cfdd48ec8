"""Tries one path after the other: exec must fail for missing files, tools and shells."""

import os

WORDS = ("link", "show", "lo")


def status(file, *words):
    child = os.fork()
    if child == 0:
        try:
            os.execv(file, [os.path.basename(file), *words])
        except OSError as error:
            os._exit(100 + error.errno)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


for directory in ("/usr/local/bin", "/nosuch", "/usr/bin", "/usr/sbin", "/bin", "/sbin"):
    print(directory, status(f"{directory}/bridge", "link", "show"), status(f"{directory}/ip", *WORDS), flush=True)
for shell in ("/bin/sh", "/usr/bin/bash", "/usr/sbin/sh", "/nosuch/sh", "/usr/sbin/bash"):
    print(shell, status(shell, "-c", "ip -br link show lo"), flush=True)
