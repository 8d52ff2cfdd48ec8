"""A cell's verdict: compares nlsh's results with the real tools' in the same environment."""

import json
import re
from collections import Counter

from .lines import STATE

# Late changes and timers of the kernel.
LATE = (
    (re.compile(r"state [A-Z]+"), "state STATE"),
    (re.compile(r"NO-CARRIER,|,LOWER_UP"), ""),
    (re.compile(r'"operstate":"[A-Z]+"'), '"operstate":""'),
    (re.compile(r'"NO-CARRIER",|,"LOWER_UP"'), ""),
    (re.compile(r'"(\w*timer|time|age)":[0-9.]+'), r'"\1":0'),
    (re.compile(r"line 1: +[0-9]+ Bad system call"), "line 1: PID Bad system call"),  # bash prints the pid of a child that a filter killed
    # A tap device's address is random.
    (re.compile(r'("ifname":"t9".*?"address":)"[0-9a-f:]+"'), r'\1""'),
)
COMMANDS = re.compile(r"\b(ip|bridge)\b")


def masked(text: str) -> str:
    for pattern, replacement in LATE:
        text = pattern.sub(replacement, text)
    return text


def objects(state: str) -> list[str]:
    """Splits lists of JSON objects into one object a line."""
    return masked(state).replace('},{"', '},\n{"').split("\n")


def seen(answer: dict) -> list:
    return [(line["status"], masked(line["out"]), masked(line["error"])) for line in answer["lines"]]


def differences(real: dict, ours: dict, lines: list[str]) -> list[dict]:
    found = [{"line": line, "real": one, "ours": other} for line, one, other in zip(lines, seen(real), seen(ours)) if one != other]
    for words, one, other in zip(STATE, real["state"], ours["state"]):
        one, other = objects(one), objects(other)
        if one != other:
            found.append(
                {
                    "line": "state: " + " ".join(words),
                    "real": [line for line in one if line not in other],
                    "ours": [line for line in other if line not in one],
                }
            )
    return found


def verdict(real: dict, ours: dict, lines: list[str]) -> dict:
    """Counts native lines by way, fallbacks by reason, and lines that don't reach nlsh, such as an exec'd `echo`; lists the differences."""
    if "could_not" in real:
        return {"could_not": real["could_not"]}
    if "could_not" in ours:  # the program itself failed or hung, only with nlsh
        return {"reasons": {}, "different": [{"line": "(the program)", "real": "ran", "ours": ours["could_not"]}]}
    counts, reasons, ways, fell_back = Counter(), Counter(), Counter(), {}
    for line, result in zip(lines, ours["lines"]):
        verdicts = {call[1] for call in result["calls"]}
        if verdicts == {"native"}:
            counts["native"] += 1
            ways[result["calls"][0][3].partition(":")[0]] += 1
        elif verdicts:
            counts["fallback"] += 1
            reason = next((call[2] for call in result["calls"] if call[1] != "native"), "") or "no reason given"
            reasons[reason] += 1
            fell_back[line] = [call for call in result["calls"] if call[1] != "native"]
        elif COMMANDS.search(line):
            counts["fallback"] += 1
            reasons["not reached"] += 1
        else:
            counts["not_ours"] += 1
    cell = dict(counts) | {
        "reasons": dict(reasons),
        "ways": dict(ways),
        "fell_back": fell_back,
        "different": differences(real, ours, lines),
    }
    if "server_failed" in ours:
        cell["server_failed"] = ours["server_failed"]
    return cell


def summary(cells: dict) -> Counter:
    """Counts the cells of all rows by verdict."""
    counts = Counter()
    for cell in cells:
        if "could_not" in cell:
            counts["could not run"] += 1
        elif cell["different"]:
            counts["different"] += 1
        elif cell.get("fallback"):
            counts["fallback" if not cell.get("native") else "native in part"] += 1
        else:
            counts["native"] += 1
    return counts


def dump(results: dict) -> str:
    return json.dumps(results, indent=1, ensure_ascii=False)
