"""architecture.md, "Adding a link type": takes its steps in a copy of the sources, builds, and compares with the real ip.

worked_example.py ARCHITECTURE.MD ROOT: run it as root, in an empty directory and a new network namespace. A block after
`<!-- new: FILE -->` is the file's content; one after `<!-- after: FILE: LINE -->` is inserted after the first such line.
"""

import os
import re
import shutil
import subprocess
import sys

document, root = sys.argv[1:]
LINE = "ip link add r0 link v0 type rmnet mux_id 5"


def steps(text):
    return re.findall(r"^<!-- (new|after): ([^ :]+)(?:: (.*?))? -->\n```cpp\n(.*?)^```$", text, re.M | re.S)


def take(kind, file, line, block):
    """Takes one step; returns the file's name if it must be compiled."""
    if kind == "new":
        assert not os.path.exists(file), f"{file} is there already"
        text = block
    else:
        text = open(file).read()
        assert f"\n{line}\n" in text, f"{file} hasn't: {line}"
        text = text.replace(f"\n{line}\n", f"\n{line}\n{block}", 1)
    open(file, "w").write(text)
    return file if file.endswith(".cpp") else None


def build(sources, build_directory):
    objects = []
    for source in sources:
        objects.append(os.path.basename(source) + ".o")
        subprocess.run(["g++", "-std=c++23", "-O0", "-Wall", "-Wextra", "-I", ".", "-c", source, "-o", objects[-1]], check=True)
    # Take nlsh's link command without its map, and put the new objects before the libraries, because the first definition counts.
    commands = subprocess.run(["ninja", "-C", build_directory, "-t", "commands", "nlsh"], capture_output=True, text=True, check=True)
    # Drop the command after it, which replaces the build's own nlsh by a copy.
    link = re.sub(r"-Wl,-Map=\S+", "", commands.stdout.splitlines()[-1]).split(" && cd ")[0]
    assert link.count(" -o nlsh ") == 1 and not re.search(r"\b(cp|rename)\b", link), link
    here = os.getcwd()
    link = link.replace(" -o nlsh ", f" -Wl,-z,muldefs -o {here}/nlsh " + " ".join(f"{here}/{name}" for name in objects) + " ")
    subprocess.run(link, shell=True, cwd=build_directory, check=True)


def run(*words):
    """Status, errors, and the sent IFLA_INFO_DATA, which strace shows in the kernel's refusal (none if the kernel accepts)."""
    done = subprocess.run(["strace", "-o", "trace", "-e", "trace=recvmsg", "-xx", "-v", *words], capture_output=True, text=True)
    sent = re.findall(r'nla_type=IFLA_INFO_DATA\}, ("[^"]*")', open("trace").read())
    assert sent or done.returncode == 0, f"{words}: no request, {done.stderr}"
    return done.returncode, done.stderr, sent[:1]


text = open(document).read()
taken = steps(text)
assert len(taken) == 2, f"{len(taken)} steps"
before = subprocess.run([f"{root}/build/release/nlsh", "explain", LINE], capture_output=True)
assert before.returncode != 0, "rmnet is native already: take another example"
for folder in ("parser", "backend", "shim"):
    shutil.copytree(f"{root}/{folder}", folder)
sources = {take(*step) for step in taken} - {None}
build(sorted(sources), f"{root}/build/release")
explained = subprocess.run(["./nlsh", "explain", LINE], capture_output=True, text=True)
assert explained.returncode == 0, explained.stdout
subprocess.run(["ip", "link", "add", "v0", "type", "veth", "peer", "name", "v1"], check=True)
# If the kernel lacks the type, both get the same refusal.
real = run(*LINE.split())
subprocess.run(["ip", "link", "del", "r0"], stderr=subprocess.DEVNULL)
ours = run("./nlsh", "-c", LINE)
assert real == ours, f"real {real}, ours {ours}"
print(f"{len(taken)} steps, {len(sources)} sources compiled; as the real one: status, errors, request: {ours}")
