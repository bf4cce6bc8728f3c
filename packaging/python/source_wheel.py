#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""source_wheel.py FOLDER: writes the wheel of cubind's sources, cubind-VERSION-py3-none-any.whl, to FOLDER and prints its path.

pip calls the functions below to build the same wheel, as pyproject.toml says.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from wheel_file import HERE, ROOT, WheelFile, version  # noqa: E402

# Everything that CMakeLists.txt can build, except for tests, examples and benchmarks.
PARTS = ("CMakeLists.txt", "LICENSE", "cmake", "generated", "generator", "runtime", "simulation", "templates", "tools")


def sources():
    """Yields the files of PARTS, in a fixed order."""
    for part in PARTS:
        for file in sorted([ROOT / part, *(ROOT / part).rglob("*")]):
            if file.is_file() and not file.name.startswith(".") and file.suffix != ".pyc":
                yield file


def build_wheel(folder, config_settings=None, metadata_directory=None):
    wheel = WheelFile(folder, "cubind", "CUDA's host APIs for modern C++: sources for CMake", "py3-none-any", is_pure=True)
    for file in sources():
        wheel.add(f"cubind/source/{file.relative_to(ROOT)}", file)
    for file in sorted((HERE / "cubind").glob("*.py")):
        wheel.add(f"cubind/{file.name}", file)
    for file in sorted((HERE / "cubind").glob("*.cmake")):
        text = file.read_text(encoding="utf-8").replace("@CUBIND_VERSION@", version())
        wheel.add(f"cubind/share/cmake/cubind/{file.name}", text.encode())
    # Lets scikit-build-core add the package's folder to CMAKE_PREFIX_PATH.
    wheel.add_metadata("entry_points.txt", "[cmake.prefix]\ncubind = cubind\n")
    wheel.close()
    return wheel.path.name


def build_sdist(folder, config_settings=None):
    raise NotImplementedError("cubind has no source distribution; its wheel contains the sources")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    print(os.path.join(sys.argv[1], build_wheel(sys.argv[1])))
