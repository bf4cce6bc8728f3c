# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that only the two highest floors of the simulated driver call machine(), so that all dependencies below are visible in
declarations.

usage: machine_rule.py REPOSITORY
"""
import pathlib
import re
import sys

TREE = "simulation/driver"
ALLOWED = ("machine", "api")
CALL = re.compile(r"\bmachine\(\)")


def problems(root):
    """Returns the calls of machine() in other folders, as text."""
    root = pathlib.Path(root)
    found = []
    for path in sorted((root / TREE).rglob("*")):
        if path.suffix not in {".hpp", ".cpp"} or path.relative_to(root / TREE).parts[0] in ALLOWED:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if CALL.search(line.split("//")[0]):
                found.append(f"{path.relative_to(root)}:{number}: machine() may be called only in {' and '.join(ALLOWED)} of {TREE}")
    return found


if __name__ == "__main__":
    lines = problems(sys.argv[1])
    print("\n".join(lines) or "Only the highest floors of the simulated driver call machine().")
    sys.exit(bool(lines))
