#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that the program in README.md compiles.

usage: readme_test.py COMPILER README INCLUDE...
"""

import re
import subprocess
import sys

compiler, readme, *includes = sys.argv[1:]
with open(readme, encoding="utf-8") as file:
    programs = re.findall(r"```cpp\n(.*?)```", file.read(), re.DOTALL)
if not programs or "int main" not in programs[0]:
    sys.exit(f"{readme} contains no program")
command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++", "-"]
command += [f"-I{folder}" for folder in includes]
sys.exit(subprocess.run(command, input=programs[0], text=True, check=False).returncode)
