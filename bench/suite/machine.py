"""Describes the machine that was measured."""

import os
import platform
import subprocess


def load():
    return " ".join(f"{value:.2f}" for value in os.getloadavg())


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def commit():
    return subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip() or "unknown"


def description():
    version = subprocess.run(["ip", "-V"], capture_output=True, text=True).stdout.strip()
    return {
        "kernel": platform.release(),
        "processor": f"{processor()}, {len(os.sched_getaffinity(0))} used",
        "load average before": load(),
        "iproute2": version,
        "nlsh": commit(),
    }
