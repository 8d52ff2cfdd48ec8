"""Evaluates a Python expression over an audit trail's records `r` and gaps `g`, and prints the value. Each line must be JSON."""

import json
import sys

expression, file = sys.argv[1:]
with open(file, encoding="ascii") as trail:
    lines = [json.loads(line) for line in trail]
print(
    eval(
        expression,
        {
            "r": [line for line in lines if "line" in line],
            "g": [line for line in lines if "suppressed" in line],
        },
    )
)
