# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Every vendor function that the high-level layer calls has failed in a test that checks what comes of it.

usage: sweep_coverage.py RUNTIME_CORE_SRC PROGRAM...

Runs the programs' sweeps, the tests with MayFail or Sweep in their names, each in a process of its own, and reads which calls were made to fail.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CALLED = re.compile(r"\b(?:driver::(cu[A-Z]\w*)|((?:nvrtc|nvJitLink)[A-Z]\w*))\s*\(")
# Called only after another call has failed, or in states that no test can bring about at will.
EXCEPTED = {
    "cuDeviceTotalMem": "tells whether a refused size is more than the device could ever have",
    "cuUserObjectRelease": "gives back what a graph refused to keep",
    "nvJitLinkVersion": "is asked for the sake of the message that it leaves where the library is missing",
    "nvrtcGetPCHCreateStatus": "tells why a precompiled header was not made",
    "nvrtcGetPCHHeapSizeRequired": "follows a heap for precompiled headers that was too small",
    "nvrtcSetPCHHeapSize": "follows a heap for precompiled headers that was too small",
}
IS_SWEEP = re.compile(r"MayFail|Sweep")


def functions_called(folder):
    """Names as the sources spell them."""
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
    """Functions that failed in the test, which must pass."""
    log = pathlib.Path(folder) / test.replace("/", "_")
    environment = dict(os.environ, CUBIND_FAULTS_LOG=str(log))
    run = subprocess.run([program, f"--gtest_filter={test}"], env=environment, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{test} fails:\n{run.stdout}{run.stderr}")
    return set(log.read_text(encoding="utf-8").split()) if log.exists() else set()


def stands_for(name, symbol):
    """Whether the public name may mean the symbol: cuMemAlloc is cuMemAlloc_v2."""
    return re.fullmatch(re.escape(re.sub(r"_v\d+$", "", name)) + r"(_v\d+|_ptds|_ptsz)*", symbol) is not None


def main(source, programs):
    tests = [test for program in programs for test in tests_of(program)]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = set().union(*pool.map(lambda test: failed_in(*test, folder), tests))
    called = functions_called(source) - EXCEPTED.keys()
    missing = sorted(name for name in called if not any(stands_for(name, symbol) for symbol in failed))
    print(f"{len(tests)} sweeps; {len(called) - len(missing)} of {len(called)} functions that are called have failed in one")
    for name in missing:
        print(f"  {name}: no sweep makes it fail")
    return 1 if missing or not tests else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
