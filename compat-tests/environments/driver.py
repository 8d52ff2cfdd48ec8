"""Runs the lines inside an environment, by one column's way. It stands alone, because a container's root has only this file.

driver.py SPEC    SPEC is JSON, or a file of it. Starts the server if the cell has its own, then itself again as the program that runs
                  the lines (under the preload, if the column has it). Prints JSON: the result of each line, and the state.
"""

import ctypes
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time

PLAIN = set('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ./:-=_"')


def scratch() -> str:
    """A writable folder: its place differs between environments."""
    for folder in ("/tmp", "/dev/shm", "/run"):
        try:
            return tempfile.mkdtemp(dir=folder)
        except OSError:
            continue
    raise SystemExit("could not run: no folder to write to")


class Outputs:
    """Descriptors 1 and 2 as the environment passes them to a daemon: pipes, or sockets like those of systemd's journal."""

    def __init__(self, kind: str):
        self.ends = []
        for descriptor in (1, 2):
            if kind == "socket":
                read, write = socket.socketpair()
                read, write = read.detach(), write.detach()
            else:
                read, write = os.pipe()
            os.set_blocking(read, False)
            os.dup2(write, descriptor)
            os.close(write)
            self.ends.append(read)

    def take(self) -> list[str]:
        """The text written to each stream since the last call."""
        texts = []
        for end in self.ends:
            text = b""
            try:
                while chunk := os.read(end, 65536):
                    text += chunk
            except BlockingIOError:
                pass
            texts.append(text.decode("utf-8", "replace"))
        return texts


class Libc:
    """popen and system of the program's libc, or of a preloaded library."""

    def __init__(self):
        self.libc = ctypes.CDLL(None)
        for name in ("popen", "fread", "pclose"):
            getattr(self.libc, name).restype = {"popen": ctypes.c_void_p, "fread": ctypes.c_size_t}.get(name, ctypes.c_int)
        self.libc.fread.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p]
        self.libc.pclose.argtypes = [ctypes.c_void_p]

    def system(self, line: str) -> tuple[int, str]:
        return self.libc.system(line.encode()), ""

    def popen(self, line: str) -> tuple[int, str]:
        stream = self.libc.popen(line.encode(), b"r")
        if not stream:
            return -1, ""
        text, buffer = b"", ctypes.create_string_buffer(4096)
        while count := self.libc.fread(buffer, 1, len(buffer), stream):
            text += buffer.raw[:count]
        return self.libc.pclose(stream), text.decode("utf-8", "replace")


def by_script(shell: str, folder: str):
    """Runs the line as a script of this shell, whose child execs each command."""

    def run(line: str) -> tuple[int, str]:
        with open(os.path.join(folder, "script"), "w") as script:
            script.write(line + "\n")
        return subprocess.run([shell, "script"], cwd=folder).returncode, ""  # dash's errors contain the name

    return run


def by_subprocess(line: str) -> tuple[int, str]:
    if set(line) <= PLAIN:
        return subprocess.run(shlex.split(line)).returncode, ""
    return subprocess.run(line, shell=True).returncode, ""


def by_words(*words: str):
    return lambda line: (subprocess.run([*words, line]).returncode, "")


def by_library(line: str) -> tuple[int, str]:
    import nlsh

    result = nlsh.run(line)
    with open(os.environ["NLSH_TRACE"], "a") as trace:  # the library itself writes no trace
        trace.write("\t".join(("libnlsh", "fallback" if result.fallback else "native", "", "", line, result.fallback or "")) + "\n")
    os.write(1, result.output.encode())
    os.write(2, result.error.encode())
    return result.status, ""


def runners(folder: str) -> dict:
    libc = Libc()
    return {
        "popen": libc.popen,
        "system": libc.system,
        "dash": by_script("dash", folder),
        "bash": by_script("bash", folder),
        "python": by_subprocess,
        "sh": by_words("sh", "-c"),
        "nlsh-c": by_words("nlsh", "-c"),
        "libnlsh": by_library,
    }


def trace_since(path: str, offset: int) -> tuple[list, int]:
    """The calls in the trace after `offset`: function, verdict, reason and way of each."""
    try:
        with open(path, "rb") as trace:
            trace.seek(offset)
            text = trace.read()
    except OSError:
        return [], offset
    rows = [line.split("\t") for line in text.decode("utf-8", "replace").splitlines()]
    padded = (row + [""] * 7 for row in rows if len(row) > 1)
    return [[row[0], row[1], row[5], row[6]] for row in padded], offset + len(text)


def run_lines(spec: dict) -> None:
    answer = os.fdopen(os.dup(1), "w")
    os.set_inheritable(answer.fileno(), False)
    if spec.get("undumpable"):
        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
    outputs = Outputs(spec["sink"])
    run = runners(spec["folder"])[spec["form"]]
    results, offset = [], 0
    for line in spec["lines"]:
        status, text = run(line)
        out, error = outputs.take()
        calls, offset = trace_since(os.environ.get("NLSH_TRACE", "/nonexistent"), offset)
        results.append({"status": status, "out": text + out, "error": error, "calls": calls})
    json.dump(results, answer)


def start_server(spec: dict) -> subprocess.Popen | None:
    """The environment's own server. None if it can't start; spec["server_failed"] has the reason."""
    path = os.path.join(spec["folder"], "sock")
    server = subprocess.Popen(
        ["nlsh", "serve", "--socket", path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    spec["environment"]["NLSH_SOCKET"] = path
    until = time.monotonic() + 10
    while time.monotonic() < until and server.poll() is None:
        if os.path.exists(path + ".0"):
            return server
        time.sleep(0.005)
    server.send_signal(signal.SIGKILL)
    spec["server_failed"] = server.communicate()[0].decode("utf-8", "replace").strip()
    return None


def tool(words) -> str:
    done = subprocess.run(words, capture_output=True, text=True)
    return done.stdout + done.stderr


def main() -> None:
    text = sys.argv[1]
    if text.startswith("/"):
        with open(text) as file:
            text = file.read()
    spec = json.loads(text)
    if spec.get("inner"):
        run_lines(spec)
        return
    spec["folder"] = scratch()
    os.chmod(spec["folder"], 0o755)
    os.environ["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"
    if "setup" in spec:  # the environment has its own network namespace
        subprocess.run(["sh", "-c", spec["quiet"]], stderr=subprocess.DEVNULL)
        made = subprocess.run(["ip", "-batch", "-"], input=spec["setup"], capture_output=True, text=True)
        if made.returncode:
            print(json.dumps({"could_not": "setup: " + made.stderr.strip()}))
            return
    if spec.get("wait_for"):  # another process starts the server
        until = time.monotonic() + 10
        while time.monotonic() < until and not os.path.exists(spec["wait_for"]):
            time.sleep(0.005)
    server = start_server(spec) if spec.get("server") == "inside" else None
    environment = dict(os.environ, **spec["environment"])
    if spec["trace"]:
        environment["NLSH_TRACE"] = os.path.join(spec["folder"], "trace")
    if "PATH_FIRST" in environment:
        environment["PATH"] = environment.pop("PATH_FIRST") + ":" + environment["PATH"]
    done = subprocess.run(
        [sys.executable, "-I", "-B", __file__, json.dumps(dict(spec, inner=True))], env=environment, capture_output=True, text=True
    )
    if server:
        server.terminate()
        server.wait()
    try:
        answer = {"lines": json.loads(done.stdout)}
    except ValueError:
        answer = {"could_not": f"status {done.returncode}: {done.stdout[-300:]}{done.stderr[-700:]}"}
    if "server_failed" in spec:
        answer["server_failed"] = spec["server_failed"]
    if "setup" in spec:
        answer["state"] = [tool(words) for words in spec["state"]]
    text = json.dumps(answer)
    if "output" in spec:
        with open(spec["output"], "w") as output:
            output.write(text)
    else:
        print(text)


main()
