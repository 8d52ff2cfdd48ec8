"""Tests the Python parts of packaging/examples/mock, which are in the current directory: by pytest if it is installed, and the schema if
jsonschema is."""

import importlib.util
import inspect
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, ".")


def there(*modules):
    return all(importlib.util.find_spec(module) for module in modules)


if there("pytest"):
    subprocess.run([sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_vlans.py"], check=True)
else:
    import test_vlans

    for name, test in inspect.getmembers(test_vlans, inspect.isfunction):
        if name.startswith("test_"):
            test(Path(tempfile.mkdtemp(dir=".")))
schema = json.load(open("scenario.schema.json"))
if there("jsonschema", "yaml"):
    import jsonschema
    import yaml

    jsonschema.Draft7Validator.check_schema(schema)
    valid = jsonschema.Draft7Validator(schema).is_valid
    assert valid(yaml.safe_load(open("vlans.yaml")))
    for wrong in (
        "",
        "commands: []",
        "commands: ip link",
        "commands: [{lien: x}]",
        "commands: [{status: 1}]",
        "commands: [{line: x, status: 256}]",
        "commands: [{line: x, glob: y}]",
        "order: most",
        "fail: []",
    ):
        assert not valid(yaml.safe_load(wrong)), wrong
