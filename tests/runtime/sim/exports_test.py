# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""The drop-in library exports the symbols of the driver's spec, and nothing else.

usage: exports_test.py API_JSON LIBRARY
"""
import json
import pathlib
import subprocess
import sys

API, LIBRARY = sys.argv[1:]

expected = {each["name"] for each in json.loads(pathlib.Path(API).read_text(encoding="utf-8"))["functions"]}
output = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], check=True, capture_output=True, text=True).stdout
found = {line.split()[-1] for line in output.splitlines()}
print(f"{len(found)} symbols; missing: {sorted(expected - found)}; others: {sorted(found - expected)}")
sys.exit(found != expected)
