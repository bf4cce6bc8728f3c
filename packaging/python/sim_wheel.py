#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""sim_wheel.py FOLDER BUILD [CMAKE_OPTION...]: builds the simulated driver in the folder BUILD, and writes its wheel,
cubind_sim-VERSION-py3-none-manylinux_*.whl, to FOLDER. Prints the path of the wheel.

It needs what a build of cubind needs: a compiler, CMake, Ninja or another generator, and binutils. The tag states the oldest glibc
with all symbols that the files need, so that pip refuses the wheel on an older one.
"""
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

from wheel_file import ROOT, WheelFile

# The C++ library is linked statically, because a Python environment may have loaded an older one. Without its unused parts, it needs no
# newer glibc. libgcc stays a shared library for the same reason, and because exceptions of all libraries of a process share its data.
LINKER_FLAGS = "-static-libstdc++ -Wl,--gc-sections"
SHARED_LIBGCC = "-Wl,--push-state,--no-as-needed -lgcc_s -Wl,--pop-state"
OPTIONS = ("-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_SHARED_LINKER_FLAGS={LINKER_FLAGS}", f"-DCMAKE_EXE_LINKER_FLAGS={LINKER_FLAGS}",
           f"-DCMAKE_CXX_STANDARD_LIBRARIES={SHARED_LIBGCC}", "-DCMAKE_INSTALL_LIBDIR=lib",
           "-DCUBIND_LIBRARIES=driver;runtime;nvrtc;nvjitlink;nvml", "-DCUBIND_BUILD_SIM=ON", "-DCUBIND_BUILD_TOOLS=ON",
           "-DCUBIND_BUILD_CORE=OFF", "-DCUBIND_BUILD_SYSTEM=OFF", "-DCUBIND_BUILD_GENERATOR=OFF", "-DCUBIND_BUILD_EXAMPLES=OFF",
           "-DCUBIND_BUILD_TESTS=OFF")
# What manylinux promises on each machine, as far as the files use it.
PROMISED = re.compile(r"(libc|libm|libgcc_s|ld-linux-[\w-]+)\.so\.\d")


def run(*command):
    done = subprocess.run([str(each) for each in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"sim_wheel.py: {' '.join(map(str, command))} failed with status {done.returncode}:\n{done.stdout[-4000:]}")
    return done.stdout


def needed_glibc(files):
    """Returns the version of the oldest glibc that has all symbols of these files. Fails if they need a library that a machine may lack."""
    versions = {(2, 17)}  # of the oldest manylinux tag in use
    own = {file.name for file in files}
    for file in files:
        heads = run("objdump", "-p", file)
        for library in re.findall(r"^ +NEEDED +(\S+)$", heads, re.MULTILINE):
            if library not in own and not PROMISED.fullmatch(library):
                sys.exit(f"sim_wheel.py: {file} needs {library}, which manylinux does not promise. Link it statically.")
        versions |= {(int(major), int(minor)) for major, minor in re.findall(r"\bGLIBC_(\d+)\.(\d+)", heads)}
    return max(versions)


def build_wheel(folder, build, options):
    run("cmake", "-S", ROOT, "-B", build, *OPTIONS, *options)
    run("cmake", "--build", build, "--target", "cubind-sim", "--parallel", os.cpu_count() or 1)
    files = [build / "tools/sim/cubind-sim", *sorted((build / "sim").glob("*.so*"))]
    if len(files) < 4:
        sys.exit(f"sim_wheel.py: {build}/sim has {len(files) - 1} libraries; expected libcuda, libcudart, libnvidia-ml and others")
    with tempfile.TemporaryDirectory() as stripped:
        stripped = [pathlib.Path(shutil.copy(file, stripped)) for file in files]
        run("strip", "--strip-unneeded", *stripped)
        major, minor = needed_glibc(stripped)
        wheel = WheelFile(folder, "cubind-sim", "Runs programs that use CUDA without a GPU, on a simulated driver",
                          f"py3-none-manylinux_{major}_{minor}_{platform.machine()}", is_pure=False)
        for file in stripped:
            # cubind-sim looks for the libraries relative to its own folder, which is the environment's folder bin.
            place = "scripts" if file.name == "cubind-sim" else "data/lib/cubind/sim"
            wheel.add(f"{wheel.stem}.data/{place}/{file.name}", file, 0o755)
        wheel.close()
    return wheel.path


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    print(build_wheel(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]))
