# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""The command line of the packaging tests, and functions that configure, build and install.

usage: TEST.py [--only=CLASS] [--cuda=FOLDER] SOURCE SCRATCH GENERATOR COMPILER [CMAKE_OPTION...]

With --only, runs the tests of one class. --cuda names the folder of CUDA's libraries. Build folders remain in SCRATCH, and make the next
run faster.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

ONLY = [sys.argv.pop(1).removeprefix("--only=")] if sys.argv[1].startswith("--only=") else []
CUDA = pathlib.Path(sys.argv.pop(1).removeprefix("--cuda=")) if sys.argv[1].startswith("--cuda=") else None
SOURCE, SCRATCH, GENERATOR, COMPILER, *OPTIONS = sys.argv[1:]
WORK = pathlib.Path(SCRATCH)
LIBRARIES = {file.parent.name: json.loads(file.read_text(encoding="utf-8")) for file in pathlib.Path(SOURCE).glob("api-specs/*/library.json")}
DEFAULT_LIBRARIES = {name for name, settings in LIBRARIES.items() if settings.get("default", False)}
HAS_SIM = "-DCUBIND_BUILD_SIM=OFF" not in OPTIONS
NO_LIBRARIES = {**os.environ, "CUBIND_DRIVER_LIBRARY": "/no/such/library", "CUBIND_NVRTC_LIBRARY": "/no/such/library"}


def run(*command, fails=False, **options):
    result = subprocess.run([str(each) for each in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            **options)
    if (result.returncode != 0) != fails:
        raise AssertionError(f"{' '.join(map(str, command))} returned {result.returncode}:\n{result.stdout[-4000:]}")
    return result.stdout


def configure(source, build, *options, fails=False):
    return run("cmake", "-S", source, "-B", build, "-G", GENERATOR, f"-DCMAKE_CXX_COMPILER={COMPILER}", *options, fails=fails)


def build_and_run(build):
    run("cmake", "--build", build, "--parallel", os.cpu_count(), "--target", "consumer")
    return run(build / "consumer", env=NO_LIBRARIES)


def empty_folder(name):
    shutil.rmtree(WORK / name, ignore_errors=True)
    return WORK / name


def build_all(build, *options):
    configure(SOURCE, build, "-DCUBIND_BUILD_TESTS=OFF", "-DCUBIND_BUILD_EXAMPLES=OFF", *OPTIONS, *options)
    run("cmake", "--build", build, "--parallel", os.cpu_count())
    return build


def build_shared(*options):
    # Without optimization, because these objects cannot come from the compiler cache: their visibility differs.
    return build_all(WORK / "build_shared", "-DBUILD_SHARED_LIBS=ON", "-DCUBIND_BUILD_SIM=OFF", "-DCUBIND_BUILD_GENERATOR=OFF",
                     "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_UNITY_BUILD=ON", *options)


def install(build, prefix, *options):
    empty_folder(prefix.name)
    build_all(build, "-DCUBIND_BUILD_GENERATOR=OFF", *in_prefix(prefix), *options)
    run("cmake", "--install", build)


def in_prefix(prefix):
    return [f"-DCMAKE_INSTALL_PREFIX={prefix}", "-DCMAKE_INSTALL_LIBDIR=lib"]
