# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Hand-written files stay small: none over 400 lines, the median at most 120.

usage: file_sizes.py REPOSITORY
"""
import pathlib
import statistics
import sys

MOST = 400
MEDIAN = 120
FOLDERS = ("generator", "templates", "runtime", "tools", "tests", "examples", "benchmarks", "scripts", "cmake", ".ci")
SUFFIXES = {".hpp", ".cpp", ".h", ".c", ".cu", ".py", ".sh", ".cmake", ".mustache", ".in"}
NAMES = {"CMakeLists.txt"}


def is_script(path):
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def hand_written(root):
    """The hand-written files of the tree; headers of golden cases are data of the tests, and so are their expectations."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            parts = path.relative_to(root).parts
            if not path.is_file() or "golden" in parts or "__pycache__" in parts:
                continue
            if path.suffix in SUFFIXES or path.name in NAMES or (not path.suffix and is_script(path)):
                yield path
    yield root / "CMakeLists.txt"


def problems(root):
    root = pathlib.Path(root)
    lines = {path.relative_to(root): len(path.read_text(encoding="utf-8").splitlines()) for path in hand_written(root)}
    found = [f"{path}: {count} lines, at most {MOST} are allowed" for path, count in lines.items() if count > MOST]
    median = statistics.median(lines.values())
    if median > MEDIAN:
        found.append(f"the median of {len(lines)} files is {median} lines, at most {MEDIAN} are allowed")
    return found


if __name__ == "__main__":
    lines = problems(sys.argv[1])
    print("\n".join(lines) or "Every file is small enough.")
    sys.exit(bool(lines))
