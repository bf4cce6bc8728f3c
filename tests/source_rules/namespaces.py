# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that code that programs link opens the versioned namespace, CUBIND_NAMESPACE of <cubind/detail/abi.hpp>.

usage: namespaces.py REPOSITORY
"""
import pathlib
import re
import sys

FOLDERS = ("runtime", "simulation", "templates")
SUFFIXES = {".hpp", ".cpp", ".mustache"}


def problems(root):
    """Returns the lines that open namespace cubind without its version, as text."""
    root = pathlib.Path(root)
    found = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if re.match(r"\s*(inline )?namespace cubind\b[^=;]*$", line):
                    found.append(f"{path.relative_to(root)}:{number}: {line.strip()}: write CUBIND_NAMESPACE instead of cubind")
    return found


if __name__ == "__main__":
    lines = problems(sys.argv[1])
    print("\n".join(lines) or "All code opens the versioned namespace.")
    sys.exit(bool(lines))
