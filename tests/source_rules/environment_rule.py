# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that runtime/, simulation/, tools/ and the generated code read the environment only with detail::environment_variable().

usage: environment_rule.py REPOSITORY
"""
import pathlib
import re
import sys

# The file that defines detail::environment_variable().
READER = "runtime/platform/linux/environment.cpp"
FOLDERS = ("runtime", "simulation", "tools", "generated", "templates")
# Functions and variables that read the environment. std::filesystem::temp_directory_path reads TMPDIR.
FORBIDDEN = re.compile(r"\b(?:secure_|__secure_)?getenv\b|\b_?environ\b|\btemp_directory_path\b|\b(?:tempnam|tmpnam|wordexp)\b")


def problems(root):
    root = pathlib.Path(root)
    found = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in {".hpp", ".cpp", ".h", ".c", ".in", ".mustache"} or name == READER:
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                match = FORBIDDEN.search(line.split("//")[0])
                if match:
                    found.append(f"{name}:{number}: {match.group()}: read the environment with detail::environment_variable()")
    return found


if __name__ == "__main__":
    lines = problems(sys.argv[1])
    print("\n".join(lines) or "All code reads the environment with detail::environment_variable().")
    sys.exit(bool(lines))
