#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that the code in README.md compiles: the first block is a program, the others are statements. Also checks that the page is short.

usage: readme_test.py COMPILER README INCLUDE...
"""

import re
import subprocess
import sys

MAX_LINES = 130

compiler, readme, *includes = sys.argv[1:]
with open(readme, encoding="utf-8") as file:
    text = file.read()
if (lines := text.count("\n")) >= MAX_LINES:
    sys.exit(f"{readme} has {lines} lines; it must have fewer than {MAX_LINES}, so move what is not for the first visit to a page in docs/")
program, *statements = re.findall(r"```cpp\n(.*?)```", text, re.DOTALL) or [""]
if "int main" not in program:
    sys.exit(f"{readme} contains no program")
if not statements:
    sys.exit(f"{readme} contains no statements")
functions = "".join(f"void block_{number}() {{\n{block}}}\n" for number, block in enumerate(statements))
command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-fsyntax-only", "-x", "c++", "-"]
command += [f"-I{folder}" for folder in includes]
for source in (program, f"#include <cubind/core.hpp>\n#include <cubind/driver.hpp>\n{functions}"):
    if subprocess.run(command, input=source, text=True, check=False).returncode != 0:
        sys.exit(f"code in {readme} does not compile, see above")
