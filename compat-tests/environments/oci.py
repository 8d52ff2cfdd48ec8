"""A bundle for runc or crun: the configuration that Docker or Kubernetes would write."""

import json
import os
import subprocess
from pathlib import Path

# The default profile of golang-github-containers-common, like Docker's and Kubernetes' RuntimeDefault.
PROFILE = Path("/usr/share/containers/seccomp.json")
MASKED = [
    *"/proc/asound /proc/acpi /proc/kcore /proc/keys /proc/latency_stats /proc/timer_list /proc/timer_stats".split(),
    *"/proc/sched_debug /proc/scsi /sys/firmware".split(),
]
READ_ONLY = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"]


def _all_capabilities() -> list[str]:
    """The capabilities that root can have on this machine."""
    with open("/proc/self/status") as file:
        bounding = next(line.split()[1] for line in file if line.startswith("CapBnd"))
    said = subprocess.run(["capsh", "--decode=" + bounding], capture_output=True, text=True, check=True).stdout
    return [name.strip().upper() for name in said.split("=")[1].split(",")]


def seccomp(capabilities: list[str]) -> dict:
    """The profile's rules that apply to amd64 and these capabilities."""
    profile = json.loads(PROFILE.read_text())
    rules = []
    for rule in profile["syscalls"]:
        includes, excludes = rule.get("includes") or {}, rule.get("excludes") or {}
        if not set(includes.get("caps", ())) <= set(capabilities) or set(excludes.get("caps", ())) & set(capabilities):
            continue
        if "arches" in includes and "amd64" not in includes["arches"] or "amd64" in excludes.get("arches", ()):
            continue
        kept = {key: rule[key] for key in ("names", "action", "args") if rule.get(key)}
        rules.append(kept | ({"errnoRet": rule["errnoRet"]} if "errnoRet" in rule else {}))
    return {
        "defaultAction": profile["defaultAction"],
        "defaultErrnoRet": profile["defaultErrnoRet"],
        "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32"],
        "syscalls": rules,
    }


def _mounts(settings: dict) -> list[dict]:
    def mount(target, kind, source, *options):
        return {"destination": target, "type": kind, "source": source, "options": list(options)}

    mounts = [
        mount("/proc", "proc", "proc", "nosuid", "noexec", "nodev"),
        mount("/dev", "tmpfs", "tmpfs", "nosuid", "strictatime", "mode=755", "size=65536k"),
        mount("/dev/pts", "devpts", "devpts", "nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620"),
        mount("/dev/shm", "tmpfs", "shm", "nosuid", "noexec", "nodev", "mode=1777"),
        mount("/sys", "sysfs", "sysfs", "nosuid", "noexec", "nodev", *([] if settings.get("devices") else ["ro"])),
        mount("/tmp", "tmpfs", "tmpfs", "nosuid", "nodev", "mode=1777"),  # an emptyDir, if the root is read-only
        mount("/run", "tmpfs", "tmpfs", "nosuid", "nodev", "mode=755"),
    ]
    return mounts + [mount(target, "bind", source, "rbind", "rw") for target, source in settings.get("binds", {}).items()]


def config(root: Path, words: list[str], settings: dict) -> dict:
    """`settings`: those of a row (rows.py), and binds, join_pid, container."""
    capabilities = settings["capabilities"]
    capabilities = _all_capabilities() if capabilities == "all" else ["CAP_" + name for name in capabilities]
    namespaces = [{"type": kind} for kind in ("mount", "ipc", "uts")] + [
        {"type": "pid"} | ({"path": settings["join_pid"]} if "join_pid" in settings else {})
    ]
    linux = {
        "namespaces": namespaces,
        "cgroupsPath": "/environments/" + settings["container"],
        "resources": {"devices": [{"allow": bool(settings.get("devices")), "access": "rwm"}]},
    }
    if settings.get("remapped"):
        namespaces += [{"type": "user"}, {"type": "network"}]
        for kind in ("uidMappings", "gidMappings"):
            linux[kind] = [{"containerID": 0, "hostID": 100000, "size": 65536}]
    if settings.get("seccomp", True):
        linux["seccomp"] = seccomp(capabilities)
    if not settings.get("unmasked"):
        linux |= {"maskedPaths": MASKED, "readonlyPaths": READ_ONLY}
    if settings.get("devices") and os.path.exists("/dev/net/tun"):
        linux["devices"] = [{"path": "/dev/net/tun", "type": "c", "major": 10, "minor": 200, "fileMode": 0o600}]
    user = settings.get("user", 0)
    return {
        "ociVersion": "1.0.2",
        "process": {
            "terminal": False,
            "user": {"uid": user, "gid": user},
            "args": words,
            "cwd": "/",
            "env": ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
            "noNewPrivileges": bool(settings.get("no_new_privileges")),
            "capabilities": {kind: capabilities for kind in ("bounding", "effective", "permitted")},
        },
        "root": {"path": str(root), "readonly": bool(settings.get("read_only"))},
        "hostname": "container",
        "mounts": _mounts(settings),
        "linux": linux,
    }
