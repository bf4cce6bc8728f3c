# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that the drop-in library exports exactly the symbols of the driver's spec, which include those
that a GPU's driver exported when its answers were recorded, the mark of the simulation, its lookup of symbols, and what
other simulated libraries ask it.

usage: exports_test.py API_JSON RECORDED_ANSWERS LIBRARY
"""
import json
import pathlib
import subprocess
import sys

API, RECORDED, LIBRARY = sys.argv[1:]

overrides = json.loads(pathlib.Path(API).with_name("overrides.json").read_text(encoding="utf-8"))
expected = {each["name"] for each in json.loads(pathlib.Path(API).read_text(encoding="utf-8"))["functions"]}
expected -= set(overrides.get("not_exported", []))
question, answer = "entry dlsym ", ": pointer"
recorded = pathlib.Path(RECORDED).read_text(encoding="utf-8").splitlines()
expected |= {line[len(question):-len(answer)] for line in recorded if line.startswith(question) and line.endswith(answer)}
expected |= {"cubindSimulation", "cubindSimulatedDevice", "cubindSimulatedLink", "cubindSimulatedObserver", "cubindSimulatedSymbol"}
output = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], check=True, capture_output=True, text=True).stdout
found = {line.split()[-1] for line in output.splitlines()}
print(f"{len(found)} symbols; missing: {sorted(expected - found)}; unexpected: {sorted(found - expected)}")
sys.exit(found != expected)
