# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that a file which uses a type of <cstdint> or <cstddef> includes the header, directly or through headers of this repository.

Standard libraries differ in which of their headers include <cstdint>, precompiled headers hide what a file lacks, and <stdint.h>
does not declare the names in std.

usage: standard_headers.py REPOSITORY
"""
import functools
import pathlib
import re
import sys

FOLDERS = ("benchmarks", "examples", "generator", "runtime", "tests", "tools")
HEADERS = {
    "cstdint": re.compile(r"\bstd::u?int(?:8|16|32|64|ptr|max)_t\b"),
    "cstddef": re.compile(r"\bstd::(?:byte|size_t|ptrdiff_t|nullptr_t)\b"),
}
# Each of these headers defines std::size_t.
DEFINE_SIZE = {"algorithm", "array", "cstdio", "cstdlib", "cstring", "functional", "iterator", "map", "memory", "span", "string",
               "string_view", "tuple", "utility", "vector"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def lacks(header, text, included):
    uses = HEADERS[header].findall(text)
    if header == "cstddef" and "std::byte" not in uses and included & DEFINE_SIZE:
        return False
    return bool(uses) and header not in included


def problems(root):
    """Returns the files that use types without their header, as text."""
    root = pathlib.Path(root)
    folders = [each for folder in (*FOLDERS, "generated") for each in (root / folder).rglob("include") if each.is_dir()]
    folders += [root / each for each in ("generator", "runtime/sim/src", "runtime/sim/cudart", "runtime/sim/nvml", "runtime/sim/shared",
                                         "runtime/core/src", "runtime/layers/src", "runtime/loader/src", "runtime/system/src", "tools/info", "tests")]

    @functools.lru_cache(None)
    def read(path):
        """Returns the text of a file without comments, the headers of the repository and the other headers that it includes."""
        text = path.read_text(encoding="utf-8")
        own, others = [], set()
        for quote, name in INCLUDE.findall(text):
            places = [path.parent, *folders] if quote == '"' else folders
            found = next((each / name for each in places if (each / name).is_file()), None)
            if found:
                own.append(found)
            else:
                others.add(name)
        return re.sub(r"//.*", "", text), own, others

    def all_included(path):
        seen, pending, found = {path}, [path], set()
        while pending:
            _, own, others = read(pending.pop())
            found |= others
            pending += [each for each in own if each not in seen]
            seen |= set(own)
        return found

    found = []
    for path in sorted(each for folder in FOLDERS for each in (root / folder).rglob("*") if each.suffix in (".hpp", ".cpp")):
        included = all_included(path)
        found += [f"{path.relative_to(root)}: include <{header}>, whose types it uses" for header in HEADERS
                  if lacks(header, read(path)[0], included)]
    return found


if __name__ == "__main__":
    lines = problems(sys.argv[1])
    print("\n".join(lines) or "All files include what they use of <cstdint> and <cstddef>.")
    sys.exit(bool(lines))
