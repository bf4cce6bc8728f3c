# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""The command python -m cubind."""
import argparse
import importlib.metadata

import cubind

parser = argparse.ArgumentParser(prog="python -m cubind", description="Prints where CMake finds cubind: "
                                 'cmake -S . -B build -Dcubind_DIR="$(python -m cubind --cmake-dir)"')
choice = parser.add_mutually_exclusive_group(required=True)
choice.add_argument("--cmake-dir", action="store_true", help="print the folder for CMake's variable cubind_DIR")
choice.add_argument("--version", action="store_true", help="print the version of cubind")
print(cubind.cmake_dir() if parser.parse_args().cmake_dir else importlib.metadata.version("cubind"))
