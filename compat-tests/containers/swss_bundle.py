#!/usr/bin/python3
"""A bundle for runc with the options of SONiC's swss container: Docker's default filter of system calls, Docker's 14 capabilities and
NET_ADMIN, systempaths=unconfined, the caller's network namespace (--net=host).

swss_bundle.py BUNDLE SCRIPT [USER]: writes BUNDLE/config.json, whose process is bash with this script; BUNDLE/rootfs must exist."""

import json
import platform
import sys
from pathlib import Path

PROFILE = Path("/usr/share/containers/seccomp.json")  # golang-github-containers-common
CAPABILITIES = [
    "CAP_" + name
    for name in (
        "CHOWN DAC_OVERRIDE FSETID FOWNER MKNOD NET_RAW SETGID SETUID SETFCAP SETPCAP NET_BIND_SERVICE SYS_CHROOT KILL AUDIT_WRITE NET_ADMIN"
    ).split()
]
ARCHITECTURES = {"x86_64": ("amd64", "SCMP_ARCH_X86_64"), "aarch64": ("arm64", "SCMP_ARCH_AARCH64")}


def applies(rule: dict, architecture: str) -> bool:
    """Whether the rule applies: some rules are only for certain capabilities or processors."""
    includes, excludes = rule.get("includes") or {}, rule.get("excludes") or {}
    held = set(CAPABILITIES)
    if not set(includes.get("caps") or []) <= held or set(excludes.get("caps") or []) & held:
        return False
    if includes.get("arches") and architecture not in includes["arches"]:
        return False
    return architecture not in (excludes.get("arches") or [])


def seccomp() -> dict:
    profile = json.loads(PROFILE.read_text())
    architecture, name = ARCHITECTURES[platform.machine()]
    kept = ("names", "action", "args", "errnoRet")
    rules = [{key: rule[key] for key in kept if rule.get(key)} for rule in profile["syscalls"] if applies(rule, architecture)]
    return {
        "defaultAction": profile["defaultAction"],
        "defaultErrnoRet": profile.get("defaultErrnoRet", 1),
        "architectures": [name],
        "syscalls": rules,
    }


def config(script: str, user: int) -> dict:
    sets = ("bounding", "effective", "permitted") if user == 0 else ("bounding",)
    tmpfs = {"type": "tmpfs", "source": "tmpfs"}
    return {
        "ociVersion": "1.0.2",
        "process": {
            "user": {"uid": user, "gid": user},
            "args": ["/bin/bash", "-c", script],
            "cwd": "/tmp",
            "env": ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C"],
            "capabilities": {each: CAPABILITIES for each in sets},
        },
        "root": {"path": "rootfs"},
        "mounts": [
            {"destination": "/proc", "type": "proc", "source": "proc"},
            {"destination": "/dev", **tmpfs},
            {"destination": "/sys", "type": "sysfs", "source": "sysfs", "options": ["ro"]},
        ],
        "linux": {"namespaces": [{"type": kind} for kind in ("pid", "mount", "uts", "ipc")], "seccomp": seccomp()},
    }


if __name__ == "__main__":
    Path(sys.argv[1], "config.json").write_text(json.dumps(config(sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 0)))
