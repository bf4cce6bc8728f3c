# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the statuses of NVML with those that a GPU returned: each function is called with six kinds of arguments.

usage: answers_test.py SPEC RECORDED [--record]

SPEC is api-specs/nvml/api.json. RECORDED has a line for each function, with its statuses in the order of KINDS. Asks the libnvidia-ml.so.1
that the OS loader finds. With --record, prints the lines of that library, for the functions of RECORDED.
"""
import ctypes
import json
import os
import pathlib
import sys

LIBRARY = "libnvidia-ml.so.1"
LENGTH = 96  # of texts
DESCRIPTION = "device 0, numbers that are 0, 1 and 1000, lists of 32 elements, null results, a null device"
KINDS = ("zero", "one", "thousand", "list", "null", "no device")
CRASHED = "-"  # NVIDIA's library dereferences a null device in some functions

# Functions whose answers differ, and why.
ACCEPTED = {
    "nvmlDeviceGetProcessUtilization": "the GPU requires a longer list even if no process has used the device",
    "nvmlDeviceGetTopologyCommonAncestor": "the GPU was that of a virtual machine, which does not support the function",
    "nvmlDeviceOnSameBoard": "a null device is an invalid argument, as in the other functions",
}


def argument(parameter, kind, device):
    """Returns a value for a parameter of the spec."""
    kind_of_type = parameter["type"]
    if kind_of_type == "nvmlDevice_t":
        return ctypes.c_void_p() if kind == "no device" else device
    if kind_of_type == "const char *":
        return None if kind == "null" else ctypes.c_char_p(b"no such name")
    if kind_of_type.endswith("*"):
        memory = ctypes.create_string_buffer(1 << 16)
        memory[0] = 32 if kind == "list" else 0
        return None if kind == "null" else memory
    number = {"one": 1, "thousand": 1000}.get(kind, 0)
    if "length" in parameter["name"].lower():
        number = 0 if kind == "thousand" else LENGTH
    return ctypes.c_ulonglong(number) if "long long" in kind_of_type else ctypes.c_uint(number)


def status_of(function, kind):
    """Calls a function in a child, which may crash. Returns the status as a text."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        library = ctypes.CDLL(LIBRARY)
        library.nvmlInit_v2()
        device = ctypes.c_void_p()
        library.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(device))
        arguments = [argument(each, kind, device) for each in function["parameters"]]
        os.write(write, str(getattr(library, function["name"])(*arguments)).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return text or CRASHED


def main(spec, recorded, *options):
    functions = {each["name"]: each for each in json.loads(pathlib.Path(spec).read_text(encoding="utf-8"))["functions"]}
    lines = [line.split() for line in pathlib.Path(recorded).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    if len(lines) < 100:
        sys.exit(f"{recorded} has {len(lines)} functions, at least 100 are expected")
    different = 0
    for name, *expected in lines:
        answers = [status_of(functions[name], kind) for kind in KINDS]
        if options == ("--record",):
            print(name, *answers)
            continue
        differences = [f"{kind}: {answer} instead of {status}" for kind, answer, status in zip(KINDS, answers, expected, strict=True)
                       if answer != status and status != CRASHED]
        if bool(differences) != (name in ACCEPTED):
            different += 1
            print(f"{name}: {', '.join(differences) or 'no difference, although one is accepted: remove it from ACCEPTED'}")
    if not options:
        print(f"{len(lines)} functions with {DESCRIPTION}: {different} differ, {len(ACCEPTED)} differences are accepted")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
