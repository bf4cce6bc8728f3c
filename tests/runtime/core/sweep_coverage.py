# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that each vendor function that the high-level layer calls fails in at least one sweep.

usage: sweep_coverage.py RUNTIME_CORE_SRC PROGRAM...

A sweep is a test whose name contains FailureOfEachCall, EveryFailedCall or Sweep. Runs each sweep of the programs in a separate
process and reads which calls it made fail.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CALLED = re.compile(r"\b(?:driver::(cu[A-Z]\w*)|((?:nvrtc|nvJitLink)[A-Z]\w*))\s*\(")
# Called only after another call has failed, or in states that tests cannot cause.
EXCEPTED = {
    "cuCtxGetApiVersion": "queries whether a context exists; if the query fails, the context is assumed to exist",
    "cuDeviceGetLuid": "fails on every system but Windows",
    "cuDeviceTotalMem": "distinguishes a size that exceeds the memory of the device from one that exceeds the free memory",
    "cuFuncGetName": "names the kernel of a node after an update or an instantiation has failed",
    "cuUserObjectRelease": "releases an object that a graph failed to retain",
    "nvJitLinkVersion": "is called only to set last_failure() if the library is missing",
    "nvrtcGetPCHCreateStatus": "finds out why a precompiled header was not created",
    "nvrtcGetPCHHeapSizeRequired": "is called after the heap for precompiled headers was too small",
    "nvrtcSetPCHHeapSize": "is called after the heap for precompiled headers was too small",
}
IS_SWEEP = re.compile(r"FailureOfEachCall|EveryFailedCall|Sweep")


def functions_called(folder):
    """Returns the names of the functions as the sources spell them."""
    called = set()
    for path in pathlib.Path(folder).rglob("*.[ch]pp"):
        text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
        called.update(one or other for one, other in CALLED.findall(text))
    return called


def tests_of(program):
    suite, found = "", []
    for line in subprocess.run([program, "--gtest_list_tests"], check=True, capture_output=True, text=True).stdout.splitlines():
        if not line.startswith(" "):
            suite = line.split("#")[0].strip()
        elif IS_SWEEP.search(suite + line):
            found.append((program, suite + line.split("#")[0].strip()))
    return found


def failed_in(program, test, folder):
    """Returns the functions that failed in the test. The test must pass."""
    log = pathlib.Path(folder) / test.replace("/", "_")
    environment = dict(os.environ, CUBIND_FAULTS_LOG=str(log))
    run = subprocess.run([program, f"--gtest_filter={test}"], env=environment, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{test} fails:\n{run.stdout}{run.stderr}")
    return set(log.read_text(encoding="utf-8").split()) if log.exists() else set()


def refers_to(name, symbol):
    """Returns whether the public name can refer to the symbol: cuMemAlloc is cuMemAlloc_v2."""
    return re.fullmatch(re.escape(re.sub(r"_v\d+$", "", name)) + r"(_v\d+|_ptds|_ptsz)*", symbol) is not None


def main(source, programs):
    tests = [test for program in programs for test in tests_of(program)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = set().union(*pool.map(lambda test: failed_in(*test, folder), tests))
    called = functions_called(source) - EXCEPTED.keys()
    missing = sorted(name for name in called if not any(refers_to(name, symbol) for symbol in failed))
    print(f"{len(tests)} sweeps; {len(called) - len(missing)} of {len(called)} called functions have failed in a sweep")
    for name in missing:
        print(f"  {name}: no sweep makes it fail")
    return 1 if missing or not tests else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
