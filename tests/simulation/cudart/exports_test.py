# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that the drop-in runtime library exports the functions of the newest release of the spec, the functions that code of nvcc
calls, those that no header declares, and the mark of the simulation, each with the version that NVIDIA's library gives it.

usage: exports_test.py API_JSON LIBRARY
"""
import json
import pathlib
import subprocess
import sys

API, LIBRARY = sys.argv[1:]
VERSION = "libcudart.so.13"
OTHERS = """
__cudaGetKernel __cudaGetProcAddress __cudaInitModule __cudaLaunchKernel __cudaLaunchKernel_ptsz __cudaPopCallConfiguration
__cudaPushCallConfiguration __cudaRegisterFatBinary __cudaRegisterFatBinaryEnd __cudaRegisterFunction __cudaRegisterHostVar
__cudaRegisterManagedVar __cudaRegisterUnifiedTable __cudaRegisterVar __cudaUnregisterFatBinary
cudaCubindSimulation cudaSubgridCreate cudaSubgridWorkerGridCreate cudaSubgridWorksetCreate
""".split()

functions = json.loads(pathlib.Path(API).read_text(encoding="utf-8"))["functions"]
expected = {each["name"] for each in functions if "removed" not in each} | set(OTHERS)
output = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], check=True, capture_output=True, text=True).stdout
found = {line.split()[-1] for line in output.splitlines()} - {VERSION, f"{VERSION}@@{VERSION}"}
expected = {f"{name}@@{VERSION}" for name in expected}
print(f"{len(found)} symbols; missing: {sorted(expected - found)}; unexpected: {sorted(found - expected)}")
sys.exit(found != expected)
