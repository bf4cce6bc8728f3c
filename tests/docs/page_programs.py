#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""The programs that a page of the documentation shows: page_programs.py PAGE FOLDER

Each block of C++ with a main function is a program; all blocks with tests are one, since they share what they define. Writes them to
FOLDER and prints a line for each: its file, and the libraries of the last target_link_libraries() that the page has above it.
"""

import pathlib
import re
import sys

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LIBRARIES = re.compile(r"target_link_libraries\(\w+ PRIVATE ([^)]+)\)")
TEST = re.compile(r"^(TEST|TEST_F|TEST_P)\(", re.MULTILINE)


def programs(text):
    """Pairs of a program's text and its libraries."""
    mains, tests, libraries = [], [], None
    for language, block in BLOCK.findall(text):
        if language == "cmake":
            named = LIBRARIES.findall(block)
            libraries = named[-1].split() if named else libraries
        if language != "cpp":
            continue
        is_test = TEST.search(block) is not None
        if not is_test and "int main" not in block:
            continue
        if libraries is None:
            raise ValueError("a program stands above the first target_link_libraries()")
        if is_test:
            tests.append((block, libraries))
        else:
            mains.append((block, libraries))
    together = [("\n".join(block for block, _ in tests), tests[0][1])] if tests else []
    return together + mains


def main(page, folder):
    page, folder = pathlib.Path(page), pathlib.Path(folder)
    try:
        found = programs(page.read_text(encoding="utf-8"))
    except ValueError as error:
        sys.exit(f"{page}: {error}")
    if not found:
        sys.exit(f"{page} shows no program")
    folder.mkdir(parents=True, exist_ok=True)
    for number, (text, libraries) in enumerate(found):
        file = folder / f"{page.stem}-{number}.cpp"
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
        print(";".join([str(file), *libraries]))


if __name__ == "__main__":
    main(*sys.argv[1:])
