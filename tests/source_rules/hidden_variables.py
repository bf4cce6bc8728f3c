# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that each variable that a public header defines is marked with CUBIND_HIDDEN of <cubind/detail/abi.hpp>.

A plugin that g++ compiles exports such variables as unique symbols in spite of -fvisibility=hidden if they are variable templates or
members of exported classes, and is then never unloaded. In a function, g++ ignores the mark and warns: use a variable template.

usage: hidden_variables.py REPOSITORY
"""
import re
import sys

import included_files

# A definition that begins a line; functions have a parenthesis before the initializer or the body.
VARIABLE = re.compile(r"^[ \t]*(?:template\s*<[^\n]*>\s*)?((?:(?:CUBIND_\w+|\[\[[^\]]*\]\]|inline|static|constexpr|constinit|const|thread_local)\s+)+"
                      r"(?!namespace\b)[^()={;]*?[\w\]>])\s*(?:=|\{|;)", re.MULTILINE)
SHARED = re.compile(r"\b(?:inline|static)\b")
# The header is compiled for the device, too.
EXCEPTIONS = {"strided_span.hpp"}


def problems(root):
    """Returns the variables without the mark, as text."""
    tree = included_files.Tree(root)
    found = []
    for path in tree.files("runtime", suffixes=(".hpp",)):
        if "include" not in path.parts or path.name in EXCEPTIONS:
            continue
        text = tree.code(path)
        for match in VARIABLE.finditer(text):
            words = " ".join(match[1].split())
            if SHARED.search(words) and "CUBIND_HIDDEN" not in words:
                line = text.count("\n", 0, match.start(1)) + 1
                found.append(f"{path.relative_to(tree.root)}:{line}: {words}: mark the variable with CUBIND_HIDDEN")
    return found


if __name__ == "__main__":
    lines = problems(sys.argv[1])
    print("\n".join(lines) or "All variables of public headers are hidden.")
    sys.exit(bool(lines))
