# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that hand-written files have at most 400 lines, and that their median is at most 120 lines.

usage: file_sizes.py REPOSITORY
"""
import pathlib
import statistics
import sys

MAX_LINES = 400
MAX_MEDIAN = 120
FOLDERS = ("generator", "templates", "runtime", "simulation", "tools", "tests", "examples", "benchmarks", "scripts", "cmake", "packaging", ".ci")
SUFFIXES = {".hpp", ".cpp", ".h", ".c", ".cu", ".inc", ".py", ".sh", ".cmake", ".mustache", ".in"}
NAMES = {"CMakeLists.txt"}


def is_script(path):
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def hand_written(root):
    """Yields the hand-written files of the tree, except for the golden cases, which are test data."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            parts = path.relative_to(root).parts
            if not path.is_file() or "golden" in parts or "__pycache__" in parts:
                continue
            if path.suffix in SUFFIXES or path.name in NAMES or (not path.suffix and is_script(path)):
                yield path
    yield root / "CMakeLists.txt"


def problems(root):
    """Returns the violations as text."""
    root = pathlib.Path(root)
    lines = {path.relative_to(root): len(path.read_text(encoding="utf-8").splitlines()) for path in hand_written(root)}
    found = [f"{path} has {count} lines; the maximum is {MAX_LINES}" for path, count in lines.items() if count > MAX_LINES]
    median = statistics.median(lines.values())
    if median > MAX_MEDIAN:
        found.append(f"the median of {len(lines)} files is {median} lines; the maximum is {MAX_MEDIAN}")
    return found


if __name__ == "__main__":
    lines = problems(sys.argv[1])
    print("\n".join(lines) or "No file is too long.")
    sys.exit(bool(lines))
