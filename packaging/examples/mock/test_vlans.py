"""A program's network commands, tested with pytest: no root, no kernel. Run by `pytest test_vlans.py`.

The program under test is `make_vlans` below, as a script of its own; it runs ip and bridge by subprocess, so `nlsh mock`
stands before them in PATH (--path). A program that calls os.system or os.popen needs no --path.
"""

import json
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import subprocess, sys
def run(*words):
    return subprocess.run(words, capture_output=True, text=True)
if run("ip", "link", "show", "Bridge").returncode:
    sys.exit("no bridge")
for vid in sys.argv[1:]:
    run("bridge", "vlan", "add", "vid", vid, "dev", "Bridge", "self")
    added = run("ip", "link", "add", "link", "Bridge", "up", "name", "Vlan" + vid, "type", "vlan", "id", vid)
    if added.returncode:
        print(vid, added.stderr.strip())
"""


def mock(scenario, report, *program):
    """Runs the program; gives its output, and what nlsh says of the scenario."""
    done = subprocess.run(
        ["nlsh", "mock", str(scenario), "--path", "--report", str(report), "--", *program], capture_output=True, text=True
    )
    return done, json.loads(report.read_text()) if report.exists() else None


def test_a_vlan_that_is_there_is_told(tmp_path):
    scenario = Path(__file__).with_name("vlans.yaml")
    done, report = mock(scenario, tmp_path / "report", sys.executable, "-c", PROGRAM, "10", "20")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "20 RTNETLINK answers: File exists\n"
    assert report["satisfied"]
    assert [call["outcome"] for call in report["calls"]] == ["answered"] * 5


def test_a_missing_vlan_is_found(tmp_path):
    scenario = Path(__file__).with_name("vlans.yaml")
    done, report = mock(scenario, tmp_path / "report", sys.executable, "-c", PROGRAM, "10")
    assert done.returncode == 1
    assert [missing["pattern"] for missing in report["missing"]] == [
        "bridge vlan add vid 20 dev Bridge self",
        "ip link add link Bridge up name Vlan20 type vlan id 20",
    ]


def test_without_a_bridge_nothing_is_made(tmp_path):
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text(
        json.dumps({"commands": [{"line": "ip link show Bridge", "status": 1, "error": 'Device "Bridge" does not exist.\n'}]})
    )
    done, report = mock(scenario, tmp_path / "report", sys.executable, "-c", PROGRAM, "10")
    assert done.returncode == 1 and "no bridge" in done.stderr
    assert report["satisfied"]
