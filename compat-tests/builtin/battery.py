"""Runs scripts with and without bash's builtin, in twin network namespaces. Output, errors, status, files and kernel state must be the
same, and as many commands native as the script's title says.

    python3 battery.py BUILD [GROUP]"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
SECONDS = 60 * int(os.environ.get("NLSH_SLOWNESS", "1"))
LONGEST = 2000  # characters of a difference to print, at most
NETNS = "nlsh-battery"
TITLE = re.compile(r"#### (?P<group>\w+): (?P<title>.*) = (?P<native>\d+)\n")
# Runs in its own mount namespace, for /run/netns. The real ip prints the state.
TWIN = r"""
mount -t tmpfs none /run/netns 2>/dev/null || { mkdir -p /run/netns && mount -t tmpfs none /run/netns; }
/sbin/ip netns add "$ns"
/sbin/ip link add d0 address 02:00:00:00:00:01 type veth peer name d1 address 02:00:00:00:00:03
/sbin/ip link add br0 address 02:00:00:00:00:02 type bridge
carrier='s/NO-CARRIER,|,LOWER_UP|,M-DOWN//g; s/ (state|qdisc) [A-Za-z]*//g' # the kernel reports these late
cd "$directory"
"$@" bash script >../stdout 2>../stderr
echo $? >../status
state() { "$@" -o link | cut -d: -f2- | sed -E "$carrier" | sort; "$@" -o addr; "$@" route show table all; "$@" rule; "$@" neigh; } 2>&1
{ state /sbin/ip; /sbin/bridge vlan; state /sbin/ip -n "$ns"; } >../state
rm -f events fifo # what is in them takes its time
ls -l --time-style=+ >../files
"""
COMPARED = ("stdout", "stderr", "status", "state", "files")


def scripts(group):
    pieces = TITLE.split((HERE / "scripts").read_text(encoding="utf-8"))[1:]
    for named, title, native, text in zip(*(pieces[i::4] for i in range(4))):
        if group in (None, named):
            yield f"{named}: {title}", int(native), text


def sanitizer(folder):
    """Variables for a sanitizer's build: its runtime, which bash lacks, and a file for its warnings about swapcontext. A report ends the process."""
    if "LD_PRELOAD" not in os.environ:
        return {}
    remarks = folder / "remarks"
    remarks.mkdir()
    folder.chmod(0o711)
    remarks.chmod(0o1777)
    return {"LD_PRELOAD": os.environ["LD_PRELOAD"], "ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:log_path={remarks}/asan"}


def run(text, name, variables):
    """Runs the script; returns its results by name."""
    with tempfile.TemporaryDirectory(prefix="nlsh-") as top:
        directory = pathlib.Path(top) / "d"
        directory.mkdir()
        (directory / "script").write_text(text, encoding="utf-8")
        switch = f"{top}/disable"
        environment = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/",
            "ns": NETNS,
            "directory": str(directory),
            "switch": switch,
            "NLSH_SOCKET": f"{top}/sock",
            "NLSH_TRACE": f"{top}/trace",
        }
        # Only the script gets these variables.
        words = ["env", *(f"{key}={value}" for key, value in {**variables, **sanitizer(pathlib.Path(top))}.items())]
        done = subprocess.run(
            [
                "timeout",
                "--signal=KILL",
                str(SECONDS),
                "unshare",
                "-nm",
                "--kill-child",
                "--pid",
                "--mount-proc",
                "bash",
                "-c",
                TWIN,
                name,
                *words,
            ],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        found = {
            each: (pathlib.Path(top) / each).read_text(encoding="utf-8", errors="replace").replace(top, "TOP")
            if (pathlib.Path(top) / each).exists()
            else f"missing: {done.stderr}"
            for each in COMPARED
        }
        trace = pathlib.Path(top) / "trace"
        return found, trace.read_text(encoding="utf-8") if trace.exists() else ""


def differences(text, native, build):
    plain, _ = run(text, "plain", {"BASH_ENV": "/dev/null"})
    ours, trace = run(text, "builtin", {"BASH_ENV": f"{build}/builtin.bash"})
    for each in COMPARED:
        if plain[each] != ours[each]:
            yield f"{each}: plain\n{plain[each][:LONGEST]}--- builtin\n{ours[each][:LONGEST]}"
    count = len(re.findall(r"^builtin\tnative\t", trace, re.MULTILINE))
    if count != native:
        yield f"{count} native commands instead of {native}\n{trace[:LONGEST]}"


def main():
    build, group = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    total = failed = 0
    chosen = list(scripts(group))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = pool.map(lambda each: list(differences(each[2], each[1], build)), chosen)
    for (title, _, _), found in zip(chosen, results):
        total += 1
        failed += bool(found)
        print("not ok" if found else "ok", title, flush=True)
        for each in found:
            print("    " + each.replace("\n", "\n    "), flush=True)
    print(f"{total} scripts, {failed} differ")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
