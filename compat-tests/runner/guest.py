"""User-Mode Linux: a kernel with all link kinds, booted on the machine's own root file system."""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from . import build, debian, groups, paths, report
from .scenario import Block
from .verdict import Verdict

SECONDS = int(os.environ.get("NLSH_GUEST_SECONDS", "900"))
# Load all before the first block. A module registers itself with each namespace, and the kernel makes no namespace while it
# removes the previous block's.
MODULES = (
    "8021q dummy vrf bridge bonding veth ifb macvlan macvtap ipvlan ipvtap vxlan geneve tun ip_gre ip6_gre ipip sit "
    "ip_tunnel ip6_tunnel ip_vti ip6_vti mpls_router mpls_iptunnel nlmon team xfrm_interface xfrm_user macsec hsr "
    "gtp vcan batman_adv sch_ingress"
)

# The root file system is the host's: what matters is written there, /run and /proc are the guest's own.
_INIT = """#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs run /run
echo 1 > /proc/sys/net/core/fb_tunnels_only_for_init_net
mount -t tmpfs modules {modules}
ln -s /usr/lib/uml/modules/* {modules}/
for module in {names}; do modprobe -q $module; done
{environment}
cd {folder}
{command} >{output}/stdout 2>{output}/stderr </dev/null
echo $? >{output}/status
dmesg >{output}/kernel
sync
halt -f -p
"""


def _environment(guest: str) -> str:
    """Which build's server runs there, how, and under what (%g: the guest's name)."""
    names = {f"NLSH_GUEST_{each}": f"NLSH_{'SERVE_' * (each != 'BUILD')}{each}" for each in ("BUILD", "OPTIONS", "PREFIX")}
    return "\n".join(
        f"export {inside}={shlex.quote(os.environ[outside].replace('%g', guest))}"
        for outside, inside in names.items()
        if outside in os.environ
    )


def _kernels_environment() -> dict[str, str]:
    if "amx_tile" not in Path("/proc/cpuinfo").read_text():
        return dict(os.environ)
    build.tools()
    return os.environ | {"LD_PRELOAD": str(paths.TOOLS / "guest_registers")}


class GuestError(Exception):
    pass


class Guest:
    """One boot that runs one command, on one processor: its kernel and each of its processes are threads of which one runs while another
    waits, and to wake it on another processor takes longer than what it does then. Half the time, all in all. `place`: guests that run at once have different ones."""

    def __init__(self, command: list[str], folder: Path, place: int = os.getpid()):
        self.temporary = tempfile.TemporaryDirectory(prefix="nlsh-guest-")
        self.output = Path(self.temporary.name)
        modules = Path("/lib/modules")
        modules.mkdir(exist_ok=True)
        init = self.output / "init"
        init.write_text(
            _INIT.format(
                modules=modules,
                names=MODULES,
                folder=shlex.quote(str(folder)),
                command=shlex.join(command),
                output=self.output,
                environment=_environment(self.output.name),
            )
        )
        init.chmod(0o755)
        self.console = open(self.output / "console", "wb")
        processors = sorted(os.sched_getaffinity(0))
        self.process = subprocess.Popen(
            [
                "taskset",
                "--cpu-list",
                str(processors[place % len(processors)]),
                *debian.kernel_command(),
                "rootfstype=hostfs",
                "rw",
                "mem=1024M",
                f"init={init}",
                "quiet",
                "con=null",
                "con0=fd:0,fd:1",
            ],
            stdin=subprocess.DEVNULL,
            stdout=self.console,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=_kernels_environment(),
        )
        groups.add(self.process.pid)

    def wait(self, seconds: float = SECONDS) -> int:
        """The command's exit status. Raises when the guest died or took too long; keeps the console's log."""
        try:
            self.process.wait(seconds)
            why = "the guest ended without a status"
        except subprocess.TimeoutExpired:
            why = f"the guest took more than {seconds} s"
        finally:
            groups.kill(self.process.pid)
            self.process.wait()
            self.console.close()
        status = self.output / "status"
        if not status.exists():
            paths.RESULTS.mkdir(exist_ok=True)
            log = paths.RESULTS / f"guest-console-{self.process.pid}.log"
            log.write_bytes(b"".join(path.read_bytes() for path in sorted(self.output.iterdir())))
            raise GuestError(f"{why}; see {log}")
        return int(status.read_text())


def execute(command: list[str], seconds: float) -> int:
    """`runner exec -- COMMAND`."""
    guest = Guest(command, Path.cwd())
    try:
        status = guest.wait(seconds)
    except GuestError as error:
        print(error, file=sys.stderr)
        return 124
    sys.stdout.buffer.write((guest.output / "stdout").read_bytes())
    sys.stderr.buffer.write((guest.output / "stderr").read_bytes())
    return status


def run(argv: list[str], blocks: list[Block], jobs: int, record: Path | None = None, unknown: Path | None = None) -> list[Verdict]:
    """The runner inside `jobs` guests, each with its share of the blocks, and of what is recorded. `unknown` counts there, too."""
    jobs = max(1, min(jobs, len(blocks)))
    started, recorded = [], []
    for shard in range(jobs):
        results = Path(tempfile.mkstemp(prefix="nlsh-guest-", suffix=".json")[1])
        command = ["/usr/bin/python3", "-B", "-m", "runner", *argv, "--inside", "--shard", f"{shard}/{jobs}", "--results", str(results)]
        if unknown:
            command += ["--qualified", str(unknown)]
        if record:
            recorded.append(record.with_name(f"{record.name}.{shard}"))
            command += ["--record", str(recorded[-1].absolute())]
        started.append((Guest(command, paths.TESTS, shard), results))
    verdicts: list[Verdict] = []
    for guest, results in started:
        status = guest.wait()
        if status != 0:
            raise GuestError(f"the runner in the guest: status {status}\n" + (guest.output / "stderr").read_text(errors="replace"))
        found = report.read(results)
        if any(map(report.unanswered, found)):
            print("\n".join((guest.output / "kernel").read_text(errors="replace").splitlines()[-40:]))
        verdicts += found
        results.unlink()
    if record:
        record.write_bytes(b"".join(path.read_bytes() for path in recorded))
        for path in recorded:
            path.unlink()
    return verdicts
