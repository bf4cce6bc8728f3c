# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that no file of the product names a test. A test can be renamed or split, and a user of the product does not have it.

usage: product_names.py REPOSITORY
"""
import pathlib
import re
import sys

PRODUCT = ("generator", "templates", "generated", "runtime", "simulation", "tools")
SUFFIXES = {".hpp", ".cpp", ".h", ".c", ".inc", ".in", ".map", ".mustache", ".json"}
DEFINITION = re.compile(r"\b(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)")
FIXTURE = re.compile(r"\bclass (?:[A-Z_]+ )?(\w+Tests?)\b")
# A name that tests may have: Suite.Name, or the suite alone.
NAME = re.compile(r"\b([A-Z]\w*Tests?)\b(?:\.(\w+))?")


def suites(root):
    """Returns the suites of all tests."""
    return {match.group(1) for path in sorted((root / "tests").rglob("*.[ch]pp"))
            for match in DEFINITION.finditer(path.read_text(encoding="utf-8"))}


def product_files(root):
    for folder in PRODUCT:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                yield path, path.read_text(encoding="utf-8")


def problems(root):
    root = pathlib.Path(root)
    known = suites(root)
    found = []
    offered = set()  # fixtures that the product offers to the tests of its users
    for path, text in product_files(root):
        offered |= set(FIXTURE.findall(text))
        for match in NAME.finditer(text):
            if match.group(1) in known:
                line = text.count("\n", 0, match.start()) + 1
                found.append((match.group(1), f"{path.relative_to(root)}:{line}: {match.group()} is a test"))
    return [problem for suite, problem in found if suite not in offered]


if __name__ == "__main__":
    lines = problems(sys.argv[1])
    print("\n".join(lines) or "The product names no test.")
    sys.exit(bool(lines))
