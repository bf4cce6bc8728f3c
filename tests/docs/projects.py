# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Reads documentation pages that are followed literally: files, commands and the output of commands.

A block whose first line is a comment with the name of a file, such as "// main.cpp" or "# CMakeLists.txt", is this file. A block of sh has
commands. A block of text that follows it is the output of its last command, in which "..." stands for any text.
"""

import os
import pathlib
import re
import subprocess

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAME = re.compile(r"(?://|#) ([\w./-]+\.\w+)\n")


def steps(text):
    """Yields ("file", name, text), ("run", commands) and ("output", text) in the order of the page."""
    for language, block in BLOCK.findall(text):
        name = NAME.match(block)
        if language == "sh":
            yield "run", block
        elif language == "text":
            yield "output", block
        elif name:
            yield "file", name[1], block


def matches(expected, actual):
    """Returns whether the output is the expected one, in which "..." stands for any text. Spaces at the ends of lines do not count."""
    parts = [re.escape(part) for part in expected.rstrip().split("...")]
    return re.fullmatch(".*".join(parts), re.sub(r"\s+$", "", actual, flags=re.MULTILINE), re.DOTALL) is not None


def follow(page, folder, environment):
    """Follows a page in an empty folder. Returns the number of commands. Raises AssertionError for a command that fails, and for output other
    than that on the page."""
    folder.mkdir(parents=True)
    count, output = 0, ""
    for kind, *what in steps(page):
        if kind == "file":
            (folder / what[0]).write_text(what[1], encoding="utf-8")
        elif kind == "output":
            if not matches(what[0], output):
                raise AssertionError(f"the page has the output\n{what[0]}and the command printed\n{output}")
        else:
            for command in what[0].splitlines():
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True)
                output = done.stdout
                count += 1
                if done.returncode != 0:
                    raise AssertionError(f"{command} returned {done.returncode}:\n{output[-4000:]}")
    return count


def environment_with(prefix, **variables):
    """Returns the environment of a user who has installed cubind in this prefix, without settings of this build."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CUBIND_", "CMAKE_"))}
    prefix = pathlib.Path(prefix)
    return {**kept, "CMAKE_PREFIX_PATH": str(prefix), "PATH": f"{prefix / 'bin'}:{kept['PATH']}",
            "PKG_CONFIG_PATH": ":".join(map(str, prefix.glob("lib*/**/pkgconfig"))), **variables}
