#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""run_program.py SOURCE PROGRAM: runs a program of a documentation page, and compares its output with the comments of the source
behind calls of printf, in which "..." stands for anything."""

import pathlib
import re
import subprocess
import sys

# A call that prints only a text, such as that of an exception, has a comment about the text.
OUTPUT = re.compile(r'std::printf\((?!"%s\\n").*\); +// (.*)$', re.MULTILINE)


def missing_lines(source, output):
    """Returns the comments that are not printed. Statements of a page have #line directives, and comments of other kinds."""
    comments = [] if "#line " in source else OUTPUT.findall(source)
    return [each for each in comments if not re.search(".*".join(map(re.escape, each.split("..."))), output)]


def main(source, program):
    done = subprocess.run([program], stdout=subprocess.PIPE, text=True)
    print(done.stdout, end="")
    missing = missing_lines(pathlib.Path(source).read_text(encoding="utf-8"), done.stdout)
    for each in missing:
        print(f"{source}: the program does not print what its comment says: {each}", file=sys.stderr)
    sys.exit(done.returncode if done.returncode > 0 else 1 if done.returncode < 0 or missing else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
