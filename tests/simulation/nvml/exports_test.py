# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that the drop-in management library exports exactly the functions of the spec and the mark of the simulation. Calls each
function without a session, with zeros, and with the handle of no device.

usage: exports_test.py API_JSON LIBRARY
"""
import ctypes
import json
import pathlib
import subprocess
import sys

API, LIBRARY = sys.argv[1:]
SUCCESS, UNINITIALIZED, INVALID_ARGUMENT, NOT_SUPPORTED = range(4)
STARTS = {"nvmlInit", "nvmlInit_v2", "nvmlInitWithFlags", "nvmlShutdown"}

functions = json.loads(pathlib.Path(API).read_text(encoding="utf-8"))["functions"]
names = {each["name"] for each in functions}
expected = names | {"nvmlCubindSimulation"}
output = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], check=True, capture_output=True, text=True).stdout
found = {line.split()[-1] for line in output.splitlines()}
print(f"{len(found)} symbols; missing: {sorted(expected - found)}; unexpected: {sorted(found - expected)}")

library = ctypes.CDLL(LIBRARY)
library.nvmlErrorString.restype = ctypes.c_char_p
library.nvmlCubindSimulation.restype = ctypes.c_ulong
called = sorted(names - STARTS - {"nvmlErrorString"})
of_devices = [each["name"] for each in functions if each["parameters"] and each["parameters"][0]["type"] == "nvmlDevice_t"]
problems = []


def call(name, *arguments):
    """Calls a function with arguments of the size of a register, more than any function has."""
    return library[name](*(ctypes.c_void_p(each) for each in arguments + (0,) * (8 - len(arguments))))


def expect(what, *allowed, tested=called, arguments=()):
    for name in tested:
        status = call(name, *arguments)
        if status not in allowed:
            problems.append(f"{name} {what}: {status} {library.nvmlErrorString(status)}")


expect("without a session", UNINITIALIZED)
assert library.nvmlInit_v2() == SUCCESS
before = library.nvmlCubindSimulation(None)
expect("with zeros", INVALID_ARGUMENT, NOT_SUPPORTED)
simulated = len(called) - (library.nvmlCubindSimulation(None) - before)
expect("with a wrong handle", INVALID_ARGUMENT, NOT_SUPPORTED, tested=of_devices, arguments=(0x1230,))
assert library.nvmlShutdown() == SUCCESS
expect("after the session", UNINITIALIZED)
print(f"{simulated + len(STARTS) + 1} of {len(names)} functions are simulated")
print("\n".join(problems))
sys.exit(found != expected or bool(problems))
