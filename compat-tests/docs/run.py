"""Runs the documents' commands. docs.bats calls it in an overlay with nlsh installed.

run.py DOCUMENT ROOT: runs DOCUMENT's ``` blocks by their language, in order, in one shell:
  sh            bash, stops at the first command that fails
  native        each line must be native (nlsh explain)
  fallback   each line must not be
  c, python     becomes example.c, example.py for the blocks that follow
Other languages (text, diff) aren't commands.
"""

import os
import re
import subprocess
import sys

EXAMPLES = {"c": "example.c", "python": "example.py"}
document, root = sys.argv[1:]
# Don't run compat-tests/run, which runs this script.
ELSEWHERE = [r"^compat-tests/run\b.*$"]
# The documents build and install build/release. If another build is tested, use that one, which exists already.
BUILD = os.environ.get("NLSH_BUILD", "build/release")
if BUILD != "build/release":
    ELSEWHERE += [r"^packaging/quickstart\b.*$", r"cmake --(preset|build --preset) release(?= &&)"]


def blocks(text):
    for match in re.finditer(r"^```(\S*)\n(.*?)^```$", text, re.M | re.S):
        yield match[1], match[2]


def explain(lines, native):
    wrong = []
    for line in lines.splitlines():
        done = subprocess.run(["nlsh", "explain", line], capture_output=True, text=True)
        if (done.returncode == 0) != native:
            wrong.append(f"{line}\n    {done.stdout.splitlines()[0]}")
    return wrong


text = open(document).read()
script, wrong, count = "set -eu\n", [], 0
for language, body in blocks(text):
    count += 1
    if language in ("native", "fallback"):
        wrong += explain(body, language == "native")
    elif language in EXAMPLES:
        open(EXAMPLES[language], "w").write(body)
    elif language == "sh":
        for skipped in ELSEWHERE:
            body = re.sub(skipped, ":", body, flags=re.M).replace("build/release", BUILD)
        script += "set -v\n" + body + "set +v 2>/dev/null\n"
print(f"{document}: {count} blocks")
for line in wrong:
    print("not as the document says:", line)
# The shell reads its script from a file, so that commands can't read the script from standard input.
open("document.sh", "w").write(script)
env = dict(os.environ, LC_ALL="C.UTF-8", SYSTEMD_OFFLINE="1")  # makes systemctl act as in a chroot
sys.exit(subprocess.run(["bash", "document.sh"], env=env, stdin=subprocess.DEVNULL).returncode or bool(wrong))
