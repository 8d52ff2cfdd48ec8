"""Runs the matrix on the machine that `run` has booted: compares each row's cells with the real tools, and writes JSON to descriptor 3.

python3 -m environments.matrix STAGE OPTIONS    STAGE: a folder with nlsh as installed; OPTIONS: JSON (rows, columns, short)
"""

import itertools
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import compare, image
from .columns import COLUMNS, Column
from .lines import LINES, QUIET, SETUP, STATE
from .places import IMAGES, PLACES, Cell, CouldNot
from .rows import ROWS, Row

_numbers = itertools.count(1)


def lines_of(column: Column) -> list[str]:
    lines = list(LINES)
    if column.bare:  # shells and echo keep their paths: nlsh's directory lacks them
        lines = [line.replace("/usr/sbin/", "").replace("/sbin/", "") for line in lines]
    return lines


def _network(name: str) -> None:
    subprocess.run(["ip", "netns", "add", name], check=True)
    subprocess.run(["nsenter", "--net=/run/netns/" + name, "sh", "-c", QUIET], check=True)
    subprocess.run(["ip", "-n", name, "-batch", "-"], input=SETUP, text=True, check=True)


def _state(name: str) -> list[str]:
    answers = (subprocess.run(["nsenter", "--net=/run/netns/" + name, *words], capture_output=True, text=True) for words in STATE)
    return [done.stdout + done.stderr for done in answers]


def _answer(row: Row, column: Column, ours: bool, triplet: str) -> dict:
    """The driver's results in one environment, with nlsh or with the real tools."""
    name = f"cell{next(_numbers)}"
    environment = {key: value.replace("TRIPLET", triplet) for key, value in column.environment.items()} if ours else {}
    spec = {
        "form": column.form if ours else column.plain,
        "lines": lines_of(column),
        "sink": row.sink,
        "trace": ours,
        "environment": environment,
        "undumpable": row.undumpable,
        "server": row.server if ours and column.server else "",
    }
    if row.own_network:
        spec |= {"setup": SETUP, "quiet": QUIET, "state": STATE}
    try:
        _network(name)
        answer = json.loads(PLACES[row.place](Cell(row, spec, name)))
        if "could_not" not in answer and not row.own_network:
            answer["state"] = _state(name)
        return answer
    except (CouldNot, subprocess.CalledProcessError) as reason:
        return {"could_not": str(reason)}
    finally:
        subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL)


def _cell(row: Row, column: Column, real: dict, triplet: str) -> dict:
    """Runs a cell. A difference counts only if it repeats, because the kernel makes some changes late."""
    cell = compare.verdict(real, _answer(row, column, True, triplet), lines_of(column))
    if cell.get("different"):
        again = compare.verdict(_answer(row, column, False, triplet), _answer(row, column, True, triplet), lines_of(column))
        if not again.get("different"):
            again["by_chance"] = cell["different"]
        return again
    return cell


def run_row(row: Row, columns: list[Column], workers: ThreadPoolExecutor, triplet: str) -> dict:
    if row.before:
        subprocess.run(row.before, shell=True, check=True)
    try:
        forms = {(column.plain, column.bare): column for column in columns}
        reals = dict(zip(forms, workers.map(lambda column: _answer(row, column, False, triplet), forms.values())))
        cells = workers.map(lambda column: _cell(row, column, reals[column.plain, column.bare], triplet), columns)
        return dict(zip((column.name for column in columns), cells))
    finally:
        if row.after:
            subprocess.run(row.after, shell=True, check=True)


def prepare(stage: Path) -> str:
    """Installs nlsh on the machine, starts its server, and makes the containers' roots; returns the multiarch triplet."""
    subprocess.run(["cp", "-a", f"{stage}/.", "/"], check=True)
    subprocess.run(["ldconfig"], check=True)
    IMAGES.mkdir(parents=True)
    image.make(IMAGES / "root")
    image.make(IMAGES / "remapped", 100000)
    Path("/", image.SCRIPT).write_bytes(Path(__file__).with_name("driver.py").read_bytes())
    for file in ("/etc/subuid", "/etc/subgid"):
        Path(file).write_text("root:100000:65536\npodman:200000:65536\n")
    subprocess.run(["systemctl", "daemon-reload"], check=True)
    subprocess.run(["systemctl", "start", "nlsh.socket", "nlsh.service"], check=True)
    subprocess.run(["ip", "netns", "add", "a1"], check=True)
    return next(Path("/usr/lib").glob("*/nlsh")).parent.name


def main() -> None:
    stage, options = Path(sys.argv[1]), json.loads(sys.argv[2])
    rows = [
        row
        for row in ROWS
        if (not options["rows"] or any(word in row.name for word in options["rows"])) and (row.short or not options["short"])
    ]
    columns = [
        column
        for column in COLUMNS
        if (not options["columns"] or any(word in column.name for word in options["columns"])) and (column.short or not options["short"])
    ]
    triplet = prepare(stage)
    results = {}
    with ThreadPoolExecutor(2) as workers:
        for row in rows:
            before = time.monotonic()
            results[row.name] = run_row(row, columns, workers, triplet)
            counts = compare.summary(results[row.name].values())
            print(
                f"{time.monotonic() - before:5.1f} s  {row.name}: {', '.join(f'{count} {what}' for what, count in counts.items())}",
                flush=True,
            )
    os.write(3, compare.dump({"lines": LINES, "rows": results}).encode())


main()
