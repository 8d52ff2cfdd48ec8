"""The ways in which a program reaches nlsh, and the reference for each."""

from dataclasses import dataclass, field

PRELOAD = {"LD_PRELOAD": "/usr/$LIB/nlsh/libnlsh-preload.so"}
NOT_EXEC = "no server: popen, system, in process, libnlsh, nlsh -c, shim, builtin"
NO_SERVER = {"NLSH_SOCKET": "/nonexistent/nlsh.sock"}


@dataclass(frozen=True)
class Column:
    name: str
    group: str  # these columns share a column of the documents' table
    form: str  # which of driver.py's runners
    environment: dict = field(default_factory=dict)
    server: bool = False
    reference: str = ""  # the form for the real tools; empty means the same form
    bare: bool = False  # names instead of paths, so that PATH decides
    short: bool = False  # whether the short run has it

    @property
    def plain(self) -> str:
        return self.reference or self.form


COLUMNS = (
    Column("popen, server", "popen, system: server", "popen", PRELOAD, server=True, short=True),
    Column("system, server", "popen, system: server", "system", PRELOAD, server=True, short=True),
    Column("popen, no server", NOT_EXEC, "popen", PRELOAD | NO_SERVER, short=True),
    Column("system, no server", NOT_EXEC, "system", PRELOAD | NO_SERVER),
    Column("popen, in process", NOT_EXEC, "popen", PRELOAD | NO_SERVER | {"NLSH_ENGINE": "inproc"}, short=True),
    Column("dash, server", "exec: server", "dash", PRELOAD, server=True, short=True),
    Column("dash, no server", "exec: no server", "dash", PRELOAD | NO_SERVER),
    Column("Python, server", "exec: server", "python", PRELOAD, server=True),
    Column("Python, no server", "exec: no server", "python", PRELOAD | NO_SERVER),
    Column("nlsh -c", NOT_EXEC, "nlsh-c", reference="sh", short=True),
    Column("shim", NOT_EXEC, "dash", {"PATH_FIRST": "/usr/lib/nlsh/shim"}, bare=True, short=True),
    Column("builtin", NOT_EXEC, "bash", {"BASH_ENV": "/usr/lib/TRIPLET/nlsh/builtin.bash"}),
    Column("libnlsh", NOT_EXEC, "libnlsh", reference="sh"),
)
