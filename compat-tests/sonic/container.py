"""SONiC's swss container with nlsh, as packaging/sonic makes it: started by runc with its options, supervisord as process 1.

python3 -m sonic.container ROOT PACKAGES TREE WHEELS SECONDS RELEASE    on the machine that `run` has booted. ROOT: a Debian with supervisor;
    PACKAGES: a folder with nlsh's; TREE: sonic-buildimage's files after packaging/sonic/add, and TREE.plain before; SECONDS: how long the
    server is killed and restarted; RELEASE: selects the options (OPTIONS). Prints each check that passed; the last line has the figures.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from builds import other_build
from environments import oci
from environments.compare import masked
from environments.rows import DOCKER

HERE = Path(__file__).resolve().parent
LINES = [*(HERE.parent / "swss-lines.txt").read_text().splitlines(), *(HERE / "other-lines.txt").read_text().splitlines()]
STAND_INS = {"sbin/rsyslogd": "exec sleep infinity", "bin/orchagent.sh": "exec sleep infinity", "bin/swssconfig.sh": "exit 0"}
IDLE = ("portsyncd", "intfmgrd", "portmgrd", "vrfmgrd", "nbrmgrd", "vxlanmgrd", "tunnelmgrd", "fdbsyncd")
# Like docker-init.sh: renders the template to the configuration, then execs supervisord.
INIT = """#!/bin/sh
python3 -c 'import jinja2; environment = jinja2.Environment(trim_blocks=True)
print(environment.from_string(open("/usr/share/sonic/templates/supervisord.conf.j2").read()).render(is_fabric_asic=0, ENABLE_ASAN="n"))' >/etc/supervisor/conf.d/supervisord.conf
exec /usr/bin/supervisord -c /etc/supervisor/conf.d/supervisord.conf
"""
# The options of docker-orchagent.mk by release, and whether its iproute2 is SONiC's own build, which the test simulates.
OPTIONS = {
    "202605": {"capabilities": [*DOCKER, "NET_ADMIN"], "unmasked": True, "patched": True},
    "202505": {"capabilities": [*DOCKER, "NET_ADMIN"], "unmasked": True},
    "202411": {"capabilities": "all", "seccomp": False, "unmasked": True, "devices": True},
}
CONFIGURATION = "/etc/supervisor/conf.d/supervisord.conf"


class Container:
    def __init__(self, name: str, root: Path, template: Path, packages: list[Path], wheels: list[Path], options: dict):
        self.name, self.place, self.options = name, Path("/srv", name), options
        self.root, self.log = self.place / "root", self.place / "log"
        self.place.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(self.place)], check=True)
        for folder in ("root", "upper", "work", "log"):
            (self.place / folder).mkdir()
        subprocess.run(
            [
                "mount",
                "-t",
                "overlay",
                "overlay",
                "-o",
                f"lowerdir={root},upperdir={self.place}/upper,workdir={self.place}/work",
                str(self.root),
            ],
            check=True,
        )
        for name, text in [*STAND_INS.items(), *(("bin/" + name, "exec sleep infinity") for name in IDLE)]:
            self._script("usr/" + name, "#!/bin/sh\n" + text + "\n")
        self._script("usr/bin/docker-init.sh", INIT)
        self._script("usr/bin/vlanmgrd", (HERE / "daemon.py").read_text())
        (self.root / "etc/swss-lines").write_text("\n".join(LINES) + "\n")
        templates = self.root / "usr/share/sonic/templates"
        templates.mkdir(parents=True)
        shutil.copy(template, templates / "supervisord.conf.j2")
        for wheel in wheels:
            shutil.unpack_archive(wheel, self.root / "usr/lib/python3/dist-packages", "zip")
        if options.get("patched"):
            self._patch()
        if packages:
            for package in packages:
                shutil.copy(package, self.root / "srv")
            self._chroot("dpkg --force-unsafe-io -i /srv/*.deb")

    def _script(self, name: str, text: str) -> None:
        (self.root / name).write_text(text)
        (self.root / name).chmod(0o755)

    def _patch(self) -> None:
        tools = [(self.root / "usr/sbin" / tool).resolve() for tool in ("ip", "bridge")]
        for tool in tools:
            other_build.rename(tool)
        other_build.patch(tools[1], self.root / "usr/lib/libprotocols.so", root=self.root)

    def _chroot(self, script: str) -> None:
        done = subprocess.run(["chroot", str(self.root), "sh", "-c", script], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stdout + done.stderr)

    def start(self) -> None:
        """Starts the container in the network namespace `NAME`, which has the switch's ports, like Docker's --net=host."""
        subprocess.run(["ip", "netns", "add", self.name], check=True)
        ports = sorted(set(re.findall(r"\bEthernet-?\w+\b", " ".join(LINES))))
        batch = [
            "link set lo up",
            *(f"link add {port} address 02:00:00:00:01:{index:02x} type veth peer name p{index}" for index, port in enumerate(ports)),
        ]
        subprocess.run(
            [
                "nsenter",
                "--net=/run/netns/" + self.name,
                "sh",
                "-c",
                "echo 1 >/proc/sys/net/ipv6/conf/default/addr_gen_mode; echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad",
            ],
            check=True,
        )
        subprocess.run(["ip", "-n", self.name, "-batch", "-"], input="\n".join(batch), text=True, check=True)
        bundle = self.place / "bundle"
        bundle.mkdir()
        settings = self.options | {"container": self.name, "binds": {"/var/log/swss": str(self.log)}}
        (self.log.parent / "root/var/log/swss").mkdir(parents=True, exist_ok=True)
        (bundle / "config.json").write_text(json.dumps(oci.config(self.root, ["/usr/bin/docker-init.sh"], settings)))
        with open(self.place / "output", "w") as output:
            self.process = subprocess.Popen(
                ["nsenter", "--net=/run/netns/" + self.name, "runc", "run", "--bundle", str(bundle), self.name],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def inside(self, *words: str) -> subprocess.CompletedProcess:
        """Like docker exec."""
        return subprocess.run(["runc", "exec", self.name, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def control(self, *words: str) -> str:
        return self.inside("supervisorctl", "-c", CONFIGURATION, *words).stdout

    def wait(self, file: str, seconds: int = 240) -> dict:
        until = time.monotonic() + seconds
        while not (self.log / file).exists():
            if time.monotonic() > until or self.process.poll() is not None:
                raise SystemExit(f"{self.name}: no {file}\n{(self.place / 'output').read_text()}\n{self.control('status')}")
            time.sleep(0.05)
        return json.loads((self.log / file).read_text())

    def stop(self) -> dict:
        (self.log / "stop").touch()
        results = self.wait("results")
        subprocess.run(["runc", "kill", self.name, "KILL"], check=True)
        self.process.wait()
        subprocess.run(["runc", "delete", "--force", self.name], capture_output=True)
        return results


def seen(result: list) -> tuple[int, str]:
    """The result without interface indices: each pass makes its devices anew."""
    return result[0], re.sub(r"^\d+: ", "N: ", masked(result[1]), flags=re.M)


def check(real: list, ours: list) -> tuple[Counter, list]:
    """Compares the passes of both; returns how many calls were lost, how many were cut off with the server, and the differences.

    A line's result depends on earlier passes, and stays the same from the second pass on. After a line that was cut off, later lines find
    another network than expected, so comparing resumes with the next pass but one."""
    counts, wrong, disturbed = Counter(calls=sum(map(len, ours)), lost=0, cut=0, uncompared=0), [], -1
    for passes in (real, ours):
        for index, one in enumerate(passes):
            for line, result, expected in zip(LINES, one, real[min(index, 1)]):
                counts["lost"] += result[0] == -1
                if passes is ours and result[0] in (9, 137 << 8) and expected[0] != result[0]:
                    counts["cut"] += 1
                    disturbed = index + 1
                elif seen(result) != seen(expected):
                    if passes is ours and index <= disturbed:
                        counts["uncompared"] += 1
                    else:
                        wrong.append((index, line, expected, result))
    return counts, wrong


def ratios(real: dict, ours: dict) -> list[float]:
    """Each line's time without nlsh, divided by its time with nlsh; medians of the quiet passes, except the first."""
    medians = [[statistics.median(each) for each in zip(*quiet["times"][1:])] for quiet in (real, ours)]
    return [plain / nlsh for plain, nlsh in zip(*medians)]


def held(text: str) -> None:
    print(text, flush=True)


def servers(container: Container) -> list[int]:
    """The pid of the container's server, which is supervisord's child. The heir is the server's child, and doesn't count."""
    said = subprocess.run(["runc", "ps", "-f", "json", container.name], capture_output=True, text=True).stdout
    names, parents = {}, {}
    for pid in json.loads(said or "[]"):
        with contextlib.suppress(OSError):
            if b"serve" not in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0"):
                continue  # another program, or a spawned nlsh
            fields = Path(f"/proc/{pid}/stat").read_text()
            names[pid] = fields[fields.index("(") + 1 : fields.rindex(")")]
            parents[pid] = int(fields[fields.rindex(")") + 2 :].split()[1])
    return [pid for pid, name in names.items() if name == "nlsh" and names.get(parents[pid]) != "nlsh"]


def under_kills(container: Container, seconds: float) -> tuple[int, int]:
    """Kills the server by SIGKILL whenever it has come back, and sometimes restarts it; returns how often it did each."""
    kills = restarts = 0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for pid in servers(container):
            with contextlib.suppress(ProcessLookupError):  # the server has just ended
                os.kill(pid, signal.SIGKILL)
                kills += 1
        time.sleep(0.5)
        if kills % 8 == 7:
            container.control("restart", "nlsh")
            restarts += 1
    return kills, restarts


def natives(trace: str) -> Counter:
    """Counts the native lines of the last quiet pass, and the other lines by reason."""
    rows = [row.split("\t") for row in trace.splitlines()]
    popens = [row for row in rows if row[0] == "popen"][-len(LINES) :]
    return Counter("native" if row[1] == "native" else row[5] if len(row) > 5 else "?" for row in popens)


def main() -> None:
    root, packages, tree, wheels, seconds, release = sys.argv[1:]
    packages = [next(Path(packages).glob(name)) for name in ("nlsh_*.deb", "nlsh-preload_*.deb")]
    wheels = list(Path(wheels).glob("*.whl"))
    template = "dockers/docker-orchagent/supervisord.conf.j2"
    plain = Container("plain", Path(root), Path(tree + ".plain", template), [], wheels, OPTIONS[release])
    plain.start()
    real = plain.wait("quiet")
    plain.stop()

    swss = Container("swss", Path(root), Path(tree, template), packages, wheels, OPTIONS[release])
    swss.start()
    ours = swss.wait("quiet")
    verdicts = natives((swss.log / "trace").read_text())
    fallbacks = {reason: count for reason, count in verdicts.items() if reason != "native"}
    held(f"{verdicts['native']} of {len(LINES)} lines are native; fallbacks: {fallbacks}")
    passes = [sum(map(min, zip(*quiet["times"][1:]))) * 1000 for quiet in (real, ours)]
    faster = ratios(real, ours)
    held(
        f"the {len(LINES)} lines take {passes[0]:.0f} ms without nlsh, {passes[1]:.0f} ms with it, the kernel's own work included; "
        f"the median line is {statistics.median(faster):.1f} times as fast"
    )
    held(swss.control("status").strip())
    doctor = swss.inside("nlsh", "doctor")
    held(f"nlsh doctor: status {doctor.returncode}: {doctor.stdout.strip().splitlines()[-1:]}")
    kills, restarts = under_kills(swss, float(seconds))
    results = swss.stop()

    counts, wrong = check(real["passes"], results["passes"])
    held(
        f"{counts['calls']} calls in {len(results['passes'])} passes under {kills} kills and {restarts} restarts: {counts['lost']} lost, "
        f"{counts['cut']} cut off, {counts['uncompared']} other for that reason, {len(wrong)} different"
    )
    for difference in wrong[:10]:
        print("different:", difference)
    print(
        json.dumps(
            {
                "lines": len(LINES),
                "native": verdicts["native"],
                "fallbacks": fallbacks,
                "calls": counts["calls"],
                "kills": kills,
                "restarts": restarts,
                "lost": counts["lost"],
                "cut": counts["cut"],
                "different": len(wrong),
                "ratio": round(statistics.median(faster), 1),
                "ratio of a pass": round(passes[0] / passes[1], 1),
            }
        )
    )
    sys.exit(bool(wrong))


main()
