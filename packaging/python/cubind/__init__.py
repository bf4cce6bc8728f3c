# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""cubind's sources for CMake. `python -m cubind --help` says how to use them."""
import pathlib


def cmake_dir():
    """Returns the folder for cubind_DIR, in which find_package(cubind) finds this package."""
    return str(pathlib.Path(__file__).resolve().parent / "share" / "cmake" / "cubind")
