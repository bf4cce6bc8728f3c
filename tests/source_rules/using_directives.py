# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that no hand-written header of the product has a using directive, which would change the meaning of names in each file that includes it.

usage: using_directives.py REPOSITORY
"""
import pathlib
import re
import sys

FOLDERS = ("generator", "runtime", "simulation", "tools")
DIRECTIVE = re.compile(r"^\s*using namespace\b")


def problems(root):
    """Returns the directives in headers, as text."""
    root = pathlib.Path(root)
    found = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.hpp")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if DIRECTIVE.match(line):
                    found.append(f"{path.relative_to(root)}:{number}: {line.strip()}: qualify the names instead")
    return found


if __name__ == "__main__":
    lines = problems(sys.argv[1])
    print("\n".join(lines) or "No header has a using directive.")
    sys.exit(bool(lines))
