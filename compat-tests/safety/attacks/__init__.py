"""The table of attacks. A row changes the machine's files (place), the server, the caller, or something within the caller; then lines run.

The test runs each row with the real tools, by the server and in process, and compares status and output of each call, what was written,
and the kernel's state (arena.py). `native`: True, all lines must be native; False, all must fall back; None, either. `deviates` has the
reason for each way whose outcome differs."""

import dataclasses


@dataclasses.dataclass
class Attack:
    name: str
    lines: tuple[str, ...] = ("ip link set lo mtu 1301 && ip link show lo",)
    place: str = ""  # shell, before the server starts, in the attack's own mount namespace
    server: str = ""  # shell, which then execs the server
    caller: str = ""  # shell, which then execs the caller
    within: str = ""  # Python, in the caller (arena_caller.py); the default is: warm(); both()
    native: bool | None = True
    inproc: bool | None | str = "likewise"  # as native, for the in-process engine; "likewise": the same
    unordered: bool = False  # stderr: a pipeline's commands write in any order
    patience: int = 60000  # ms, for the server's answer: enough for a busy machine
    dies: bool = False  # the attack kills the server
    said: str = ""  # a pattern for the server's messages
    deviates: dict[str, str] = dataclasses.field(default_factory=dict)  # way: why

    def place_name(self) -> str:
        return "".join(letter if letter.isalnum() else "-" for letter in self.name)[:60]


def table() -> list[Attack]:
    """All attacks; each name begins with its module's name."""
    from . import environment, faults, files, kernel, limits, processes, servers, sinks, words

    return [
        dataclasses.replace(attack, name=f"{part.__name__.rpartition('.')[2]}: {attack.name}")
        for part in (limits, sinks, environment, words, files, processes, servers, faults, kernel)
        for attack in part.ATTACKS
    ]
