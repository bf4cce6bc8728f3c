# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles a CUDA program with nvcc and runs it on the simulated driver and runtime library.

usage: nvcc_test.py NVCC PROGRAM FOLDER_OF_THE_SIMULATION [CUBIND_SIM]
CUBIND_SIM starts the program that contains NVIDIA's static runtime library, which is the default of nvcc.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

NVCC, SOURCE, SIMULATION, *LAUNCHER = sys.argv[1:]


def run(*command, **variables):
    return subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, timeout=180)


version = run(NVCC, "--version")
if "release 13" not in version.stdout:
    print(f"not run: {NVCC} is not of CUDA 13\n{version.stdout}{version.stderr}")
    sys.exit(77)
status = 0
with tempfile.TemporaryDirectory() as folder:
    program = str(pathlib.Path(folder, "program"))
    shared = ["-cudart", "shared"]
    kinds = [[*shared], [*shared, "-default-stream", "per-thread"], [*shared, "-rdc=true", "-G"]]
    for options in kinds + ([[], ["-rdc=true"]] if LAUNCHER else []):
        built = run(NVCC, "--no-compress", "-gencode", "arch=compute_90,code=compute_90", *options, "-o", program,
                    SOURCE)
        if built.returncode != 0:
            print(f"not run: nvcc {options} failed: {built.stdout}{built.stderr}")
            sys.exit(77)
        done = run(program, LD_LIBRARY_PATH=SIMULATION) if "shared" in options else run(*LAUNCHER, program)
        print(f"{options}: status {done.returncode}\n{done.stdout}{done.stderr}")
        status |= done.returncode != 0 or not done.stdout.endswith("passed\n")
sys.exit(status)
