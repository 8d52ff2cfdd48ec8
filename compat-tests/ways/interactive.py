"""interactive.py SHELL WORD…: types commands at an interactive shell's terminal, and prints what the terminal shows: native commands, jobs
in the background, Ctrl-C and Ctrl-Z to a command that runs on (`ip monitor`)."""

import os
import pty
import re
import sys
import termios
import time
from pathlib import Path

PROMPT = "READY> "
NUMBER = re.compile(r"^(\[[0-9]+\]) [0-9]+$", re.M)  # the pid of a job
# Whether a shell reports a job's end depends on timing.
NOTICE = re.compile(r"^(\[[0-9]+\] *[-+]? *)?(Done|Terminated)( .*)?\n", re.M)
INTERRUPT, SUSPEND = "\x03", "\x1a"
LINES = (
    "ip link set v0 master br0; echo status $?",
    "ip -br link show lo",
    "ip -o link show br0 | wc -l",
    "ip link set nosuch up",
    "ip link set v0 mtu 1400 & wait; echo waited $?",
    "(exec ip link set v0 mtu 1300); echo status $?",
    ("ip monitor", INTERRUPT),
    "echo status $?",
    ("ip monitor", SUSPEND),
    "jobs",
    ("fg", INTERRUPT),
    "echo status $?",
    "ip monitor &",
    'until [ "$(cat /proc/$!/comm)" = ip ]; do :; done',
    "kill $!; wait $!; echo status $?",
    "ip -br link show nosuch; echo status $?",
)


class Terminal:
    def __init__(self, words: list[str]):
        self.shell, self.terminal = pty.fork()
        if self.shell == 0:
            os.execvpe(words[0], words, {**os.environ, "PS1": PROMPT, "PS2": "", "ENV": "", "TERM": "dumb"})
        settings = termios.tcgetattr(self.terminal)
        settings[3] &= ~termios.ECHO
        termios.tcsetattr(self.terminal, termios.TCSANOW, settings)

    def until_prompt(self) -> str:
        """The terminal's output up to the next prompt or the end."""
        shown = ""
        while not shown.endswith(PROMPT):
            try:
                shown += os.read(self.terminal, 4096).decode()
            except OSError:  # no process has the terminal open any more
                break
        return shown.replace("\r\n", "\n")

    def press(self, key: str):
        """Presses the key when ip runs in the foreground."""
        while True:
            group = os.tcgetpgrp(self.terminal)
            try:
                if group != self.shell and Path(f"/proc/{group}/comm").read_text() == "ip\n":
                    break
            except FileNotFoundError:
                pass
            time.sleep(0.01)
        os.write(self.terminal, key.encode())

    def type(self, line: str, key: str = "") -> str:
        os.write(self.terminal, f"{line}\n".encode())
        if key:
            self.press(key)
        return self.until_prompt()


def main():
    terminal = Terminal(sys.argv[1:])
    terminal.until_prompt()
    for line in LINES:
        line, key = (line, "") if isinstance(line, str) else line
        shown = NOTICE.sub("", NUMBER.sub(r"\1 NUMBER", terminal.type(line, key).removesuffix(PROMPT)))
        print(f"{line} {key!r}\n{shown}", flush=True)
    terminal.type("exit 7")
    print("status", os.waitstatus_to_exitcode(os.waitpid(terminal.shell, 0)[1]))


if __name__ == "__main__":
    main()
