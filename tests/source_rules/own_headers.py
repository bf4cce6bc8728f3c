# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that a file which uses a type of this repository includes the header that defines it, directly or through other headers.

Unity builds and precompiled headers hide what a file lacks. A declaration of the type suffices. Tests are not checked, because
their programs share precompiled headers in each build.

usage: own_headers.py REPOSITORY
"""
import collections
import re
import sys

import included_files

KIND = r"(?:class|struct|union|enum(?:\s+class)?)"
ATTRIBUTES = r"(?:(?:CUBIND_\w+|__attribute__\(\(.*\)\)|\[\[.*\]\])\s+)*"
TYPE = re.compile(rf"^{KIND}\s+{ATTRIBUTES}(\w+)\b(?!::)(?:\s+final)?\s*(?::[^;{{]*)?\{{", re.MULTILINE)
# Declarations, aliases, template parameters and functions, which may have the name of a type elsewhere.
DECLARED = re.compile(rf"\b(?:{KIND}|typename|using)\s+{ATTRIBUTES}(\w+)|^CUBIND_\w+\((\w+)", re.MULTILINE)
USED = re.compile(r"(?<![\w.])(?<!->)(?<!::)(?:(?:cubind|detail|sim|gen|layers|system)::)*(\w+)\b")


def area(tree, path):
    """Returns the folder of the component that the file belongs to, such as generator or runtime/core."""
    parts = path.relative_to(tree.root).parts
    return parts[:1] if parts[0] == "generator" else parts[:2]


def problems(root):
    """Returns the uses of types without their header, as text."""
    tree = included_files.Tree(root)
    defined = collections.defaultdict(set)
    for path in tree.files("generator", "runtime", "simulation", "tools", suffixes=(".hpp",)):
        for name in TYPE.findall(tree.code(path)):
            defined[name].add(path)
    declared = {}
    found = []
    for path in tree.files("benchmarks", "examples", "generator", "runtime", "simulation", "tools"):
        included = tree.all_included(path)[0]
        areas = {area(tree, each) for each in included}
        for name in sorted(set(USED.findall(tree.code(path))) & set(defined)):
            # A layer that the file does not use can have a type of the same name as a variable here.
            headers = {each for each in defined[name] if area(tree, each) in areas}
            if not headers or headers & included:
                continue
            for each in included:
                if each not in declared:
                    declared[each] = {first or second for first, second in DECLARED.findall(tree.code(each))}
            if not any(name in declared[each] for each in included):
                header = min(headers).relative_to(tree.root)
                found.append(f"{path.relative_to(tree.root)}: include {header}, which defines {name}")
    return found


if __name__ == "__main__":
    lines = problems(sys.argv[1])
    print("\n".join(lines) or "All files include the headers of the types that they use.")
    sys.exit(bool(lines))
