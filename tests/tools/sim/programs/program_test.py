# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a program that knows nothing of cubind with cubind-sim, and compares its output with the one that it states.

usage: program_test.py CUBIND_SIM PROGRAM NAME=PATH...
The names are: nvcc, rustc, luajit; packages (CUDA Python and others), toolkit (NVIDIA's libraries), include (NVIDIA's headers).
"""
import difflib
import importlib.util
import os
import pathlib
import re
import site
import subprocess
import sys
import tempfile

LAUNCHER, PROGRAM = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
PATHS = dict(argument.split("=", 1) for argument in sys.argv[3:])
SIMULATION = next(folder for folder in (LAUNCHER.parents[2] / "sim",) if folder.exists())
# Processes the files *.pth of the packages, which PYTHONPATH does not. The packages precede those of the machine, which may be too old.
START = "import runpy, site, sys; sys.path.insert(0, sys.argv[1]); site.addsitedir(sys.argv[1]); sys.argv = sys.argv[2:]; runpy.run_path(sys.argv[0], run_name='__main__')"


def skip(reason):
    print(f"not run: {reason}")
    sys.exit(77)


def path_of(name):
    path = PATHS.get(name, "")
    if path == "" or path.endswith("-NOTFOUND") or not os.path.exists(path):
        skip(f"there is no {name} ({path or 'not set'})")
    return path


def expected_output():
    lines = PROGRAM.read_text(encoding="utf-8").partition("Expected output:\n")[2].splitlines()
    comment = {".py": "", ".lua": "-- "}.get(PROGRAM.suffix, "// ")
    end = next(i for i, line in enumerate(lines) if not line.startswith(comment) or line == '"""')
    return "".join(f"{line.removeprefix(comment)}\n" for line in lines[:end])


def build(folder, *command):
    program = folder / "program"
    built = subprocess.run([*command, "-o", program, PROGRAM], capture_output=True, text=True, check=False)
    if built.returncode != 0:
        sys.exit(f"{command[0]} failed: {built.stdout}{built.stderr}")
    return [program]


def make_toolkit(folder):
    """Makes a folder in which packages find NVIDIA's headers, libraries, and code of libdevice, as in an installed toolkit."""
    libraries = pathlib.Path(path_of("toolkit"))
    (folder / "nvvm/libdevice").mkdir(parents=True)
    (folder / "nvvm/lib64").symlink_to(libraries)
    (folder / "lib64").symlink_to(libraries)
    (folder / "include").symlink_to(path_of("include"))
    (folder / "nvvm/libdevice/libdevice.10.bc").symlink_to(libraries / "libdevice.10.bc")


def prepare_python(folder, environment):
    packages = path_of("packages")
    sys.path.insert(0, packages)
    site.addsitedir(packages)
    for module in re.findall(r"^(?:from|import) ([a-z]+)", PROGRAM.read_text(encoding="utf-8"), re.MULTILINE):
        if importlib.util.find_spec(module) is None:
            skip(f"the package {module} is not installed in {packages}; run scripts/fetch-python")
    toolkit = folder / "toolkit"
    make_toolkit(toolkit)
    # CuPy would call kernels of CUB in its wheel, which contain machine code only.
    environment |= {"CUDA_HOME": str(toolkit), "CUDA_PATH": str(toolkit), "CUPY_CACHE_DIR": str(folder / "kernels"),
                    "CUPY_ACCELERATORS": "", "LD_LIBRARY_PATH": path_of("toolkit")}
    return [sys.executable, "-c", START, packages, PROGRAM]


def prepare(folder, environment):
    """Returns the command that runs the program."""
    if PROGRAM.suffix == ".py":
        return [sys.executable, PROGRAM] if PROGRAM.stem == "ctypes_driver" else prepare_python(folder, environment)
    if PROGRAM.suffix == ".lua":
        return [path_of("luajit"), PROGRAM]
    if PROGRAM.suffix == ".rs":
        libraries = folder / "libraries"
        libraries.mkdir()
        (libraries / "libcuda.so").symlink_to(SIMULATION / "libcuda.so.1")
        return build(folder, path_of("rustc"), "-L", libraries)
    nvcc = path_of("nvcc")
    version = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=False).stdout
    if "release 13" not in version:
        skip(f"{nvcc} is not of CUDA 13")
    shared = ["-cudart", "shared"] if PROGRAM.stem == "vector_add" else []  # otherwise the default, the static library
    if not shared and not (SIMULATION / "libcubind_sim_compilers.so").exists():
        skip("the simulation does not redirect static libraries on this system")
    return build(folder, nvcc, *shared, "--no-compress", "-gencode", "arch=compute_90,code=compute_90")


def main():
    environment = dict(os.environ)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        command = prepare(folder, environment)
        done = subprocess.run([LAUNCHER, *command], env=environment, cwd=folder, capture_output=True, text=True, check=False)
    expected = expected_output()
    if done.returncode == 0 and done.stdout == expected:
        return
    print(*difflib.unified_diff(expected.splitlines(), done.stdout.splitlines(), "expected", "printed", lineterm=""), sep="\n")
    sys.exit(f"status {done.returncode}\n{done.stderr}")


main()
