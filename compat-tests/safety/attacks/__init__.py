"""The attacks: what is done to the machine's files (place), to the server, to the caller, and within it; which lines then run.
Each is compared with the real shell and iproute2, by the server and in process: status and output of each call, what was written, the
kernel's state (arena.py). `native` says how the lines are to be run: True, by us; False, fallback; None, as it comes.
`deviates` says for a way why the outcome is another one."""

import dataclasses


@dataclasses.dataclass
class Attack:
    name: str
    lines: tuple[str, ...] = ("ip link set lo mtu 1301 && ip link show lo",)
    place: str = ""  # shell, before the server starts; in a mount namespace of the attack's own
    server: str = ""  # shell, which then becomes the server
    caller: str = ""  # shell, which then becomes the caller
    within: str = ""  # Python, in the caller (arena_caller.py); else: warm(); both()
    native: bool | None = True
    inproc: bool | None | str = "likewise"  # in process; "likewise": as native
    unordered: bool = False  # on stderr: a pipeline's commands speak as they come
    patience: int = 60000  # ms, for the server's answer: longer than a busy machine makes it wait
    dies: bool = False  # the server, by the attack
    said: str = ""  # the server's messages, as a pattern
    deviates: dict[str, str] = dataclasses.field(default_factory=dict)  # way: why

    def place_name(self) -> str:
        return "".join(letter if letter.isalnum() else "-" for letter in self.name)[:60]


def table() -> list[Attack]:
    """Named with their part's name before it."""
    from . import environment, faults, files, kernel, limits, processes, servers, sinks, words

    return [
        dataclasses.replace(attack, name=f"{part.__name__.rpartition('.')[2]}: {attack.name}")
        for part in (limits, sinks, environment, words, files, processes, servers, faults, kernel)
        for attack in part.ATTACKS
    ]
