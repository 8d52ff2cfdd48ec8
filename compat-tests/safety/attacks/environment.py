"""Variables that the shell, the tools, the dynamic linker or nlsh itself reads."""

from . import Attack

LINES = (
    "ip link set lo mtu 1301 && ip link show lo",
    "ip -br link | head -1 | wc -l",
    "ip addr show lo | grep -i INET | sort | uniq | cut -c1-9",
    "ip -o link show | awk '{print $2}' | sed s/:// | tr a-z A-Z",
    "bash -c 'ip link show lo' | tail -n 1",
)
VARIABLES = {
    "posix tools of 1992": "_POSIX2_VERSION=199209",
    "posix tools of 2001": "_POSIX2_VERSION=200112",
    "posixly correct": "POSIXLY_CORRECT=1",
    "options of grep": "GREP_OPTIONS=-v",
    "colours of grep": "GREP_COLORS=mt=01;31",
    "colour of grep": "GREP_COLOR=01",
    "awk's options": "AWKPATH=/nowhere",
    "gawk's options": "GAWK_NO_PP_RUN=1",
    "mawk's options": "MAWKBINMODE=3",
    "mawk's options in words": "WHINY_USERS=1",
    "the linker's help": "LD_DEBUG=help",
    "another library": "LD_LIBRARY_PATH=/run/none",
    "eager binding": "LD_BIND_NOW=1",
    "malloc's tunables": "GLIBC_TUNABLES=glibc.malloc.check=3",
    "malloc's byte": "MALLOC_PERTURB_=85",
    "a field separator": "IFS=x",
    "a prompt": "PS4=x",
    "a cd path": "CDPATH=/",
    "a file to source": "ENV=/etc/passwd",
    "a file for bash": "BASH_ENV=/etc/hostname",
    "options of the shell": "SHELLOPTS=xtrace",
    "options of bash": "BASHOPTS=extglob",
    "a lying directory": "PWD=/nowhere",
    "no home": "HOME=",
    "temporary files": "TMPDIR=/nowhere",
    "columns": "COLUMNS=3",
    "lines": "LINES=1",
    "a terminal": "TERM=nonsense",
    "a language": "LANGUAGE=de",
    "a locale that isn't": "LC_ALL=xx_YY",
    "utf-8": "LC_ALL=C.UTF-8",
    "a time zone": "TZ=/etc/passwd",
    "an empty path": "PATH=",
    "a relative path": "PATH=.:/usr/bin:/usr/sbin",
    "a path with empty parts": "PATH=:/usr/bin::/usr/sbin:",
    "a path to files": "PATH=/etc/passwd:/usr/sbin:/usr/bin",
    "a path with a tilde": "PATH=~/bin:/usr/sbin:/usr/bin",
    "a path of dots": "PATH=/usr/../usr/sbin/.:/bin/../usr/bin//",
    "a path of nothing": "PATH=/nowhere",
    "a stranger": "=x",
    "option index": "OPTIND=7",
    "option errors": "OPTERR=0",
    "a deep shell": "SHLVL=5000",
    "a bash of before": "BASH_COMPAT=4.2",
    "xtrace's descriptor": "BASH_XTRACEFD=1",
    "ip's directory": "IP_LIB_DIR=/nowhere",
    "proc elsewhere": "PROC_ROOT=/nowhere",
    "a dark terminal": "COLORFGBG=15;0",
    "time format": "LC_TIME=de_DE",
}
# nlsh's own settings: they may change only the speed.
OURS = {
    "no patience": "NLSH_TIMEOUT_MS=0",
    "negative patience": "NLSH_TIMEOUT_MS=-5",
    "patience in words": "NLSH_TIMEOUT_MS=abc",
    "patience for ever": "NLSH_TIMEOUT_MS=99999999999",
    "a relative socket": "NLSH_SOCKET=relative",
    "an empty socket": "NLSH_SOCKET=",
    "a long socket": "NLSH_SOCKET=/run/" + "x" * 300,
    "a socket that is a directory": "NLSH_SOCKET=/",
    "no such engine": "NLSH_ENGINE=none",
    "an engine that is no library": "NLSH_ENGINE=inproc NLSH_ENGINE_LIBRARY=/etc/passwd",
    "no library": "NLSH_ENGINE=inproc NLSH_ENGINE_LIBRARY=/nowhere",
    "a trace into a directory": "NLSH_TRACE=/",
    "a trace into what is full": "NLSH_TRACE=/dev/full",
    "sigchld": "NLSH_SIGCHLD=1",
    "disabled": "NLSH_DISABLE=1",
    "verified, in words": "NLSH_VERIFY=often",
    "a mock without one": "NLSH_MOCK=1 NLSH_SOCKET=/nowhere",
}
EXECVE = """
def again(variables):
    arguments = (ctypes.c_char_p * 7)(b"/usr/bin/python3", b"-I", sys.argv[0].encode(), sys.argv[1].encode(), sys.argv[2].encode(), b"again", None)
    present = [f"{{name}}={{value}}".encode() for name, value in os.environ.items() if name.startswith(("NLSH", "LD_PRELOAD", "LC_ALL"))]
    block = (ctypes.c_char_p * (len(present) + len(variables) + 1))(*present, *variables, None)
    libc.execve(arguments[0], arguments, block)
if len(sys.argv) > 3: warm(); both()
else: again({})
"""


def with_block(name: str, variables: str, **columns) -> Attack:
    """An environment that a program can only pass by execve."""
    return Attack(name, LINES, within=EXECVE.format(variables), native=None, unordered=True, **columns)


ATTACKS = [
    *(
        Attack(
            f"variable: {name}",
            LINES,
            within=f"name, _, value = {text!r}.partition('=')\nlibc.setenv(name.encode(), value.encode(), 1)\nwarm(); both()",
            native=None,
            unordered=True,
        )
        for name, text in VARIABLES.items()
    ),
    *(Attack(f"ours: {name}", LINES, caller=f'run="env {text}"', native=None) for name, text in OURS.items()),
    Attack("no environment at all", LINES, within="warm(); libc.clearenv(); both()", native=None),
    with_block("PATH twice", "[b'PATH=/usr/sbin:/usr/bin', b'PATH=/nowhere']"),
    with_block("PATH forty times", "[b'PATH=/usr/sbin:/usr/bin'] * 40 + [b'PATH=/nowhere']"),
    with_block("LC_ALL twice", "[b'LC_ALL=de_DE.UTF-8', b'LC_ALL=C', b'PATH=/usr/sbin:/usr/bin']"),
    with_block("variables without a value", "[b'PATH', b'=', b'', b'LC_ALL', b'PATH=/usr/sbin:/usr/bin', b'NLSH_TRACE']"),
    with_block("a variable of 100,000 bytes", "[b'PATH=/usr/sbin:/usr/bin', b'X=' + b'y' * 100000]"),
    with_block("a PATH of 100,000 bytes", "[b'PATH=/usr/sbin:/usr/bin:' + b'/y' * 50000]"),
    with_block("PATH of 5,000 directories", "[b'PATH=' + b':'.join(b'/nowhere/%d' % i for i in range(5000)) + b':/usr/sbin:/usr/bin']"),
    with_block("variables that aren't text", "[b'PATH=/usr/sbin:/usr/bin', b'\\xff\\xfe=\\x80', b'A\\nB=C\\nD']"),
    Attack(
        "a function of bash's, exported",
        ("bash -c 'ip link show lo'", "ip link show lo"),
        caller='run="env BASH_FUNC_ip%%=()\\ {\\ echo\\ mine;\\ }"; unset run; run_bash() { :; }; set -- env "BASH_FUNC_ip%%=() { echo mine; }" "$@"',
        native=None,
    ),
    Attack(
        "a second library before libc",
        LINES,
        within="os.environ['LD_PRELOAD'] = os.environ.get('LD_PRELOAD', '') + ':/usr/lib/x86_64-linux-gnu/libmnl.so.0'; warm(); both()",
        native=None,
    ),
    Attack(
        "a library before libc that isn't there",
        LINES,
        within="os.environ['LD_PRELOAD'] = os.environ.get('LD_PRELOAD', '') + ' /nowhere.so'; warm(); both()",
        native=None,
        deviates={way: "what the dynamic linker says isn't imitated" for way in ("server", "inproc")},
    ),
]
