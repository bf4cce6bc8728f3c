# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that a reader of the guide can copy what is displayed. Each page begins with a complete program. The blocks of a section
include the standard headers that they use, by themselves or by the lines at the beginning of the page. That they use no variable
of a block that is not displayed follows from their scopes: see page_programs.py."""

import functools
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/source_rules"))
import included_files  # noqa: E402
import standard_headers  # noqa: E402

GUIDE = ROOT / "docs/guide"
PAGES = sorted({*GUIDE.glob("*.md")} - {GUIDE / "from-cuda-core.md"})  # which has no programs
BLOCK = re.compile(r"^```cpp\n(.*?)^```$", re.DOTALL | re.MULTILINE)
OTHER_SIDE = "<!-- cpp of another side"
PAGES_WITH_ANOTHER_SIDE = {"interop.md", "memory.md", "python-kernels.md", "streams-and-events.md"}
RULES = (*standard_headers.RULES, ("cassert", re.compile(r"\bassert\("), {"cassert"}))


@functools.cache
def tree():
    return included_files.Tree(ROOT)


@functools.cache
def public_headers():
    files = tree().files("runtime", "generated", "simulation", suffixes=(".hpp",))
    return {file.as_posix().split("/include/")[1]: file for file in files if "/include/" in file.as_posix()}


def sections(page):
    """Returns the displayed C++ before the first section, and that of each section."""
    return ["\n".join(BLOCK.findall(section)) for section in re.split(r"^## ", page, flags=re.MULTILINE)]


def included(code):
    """Returns the standard headers that code includes, also through cubind's."""
    names = {name for _, name in included_files.INCLUDE.findall(code)}
    own = [public_headers()[name] for name in names if name in public_headers()]
    return names.union(*(tree().all_included(header)[1] for header in own))


def missing_headers(page):
    """Returns the names that displayed code uses without their headers."""
    start, *others = sections(page)
    found = []
    for code in (start, *others):
        headers = included(start + "\n" + code)
        code = included_files.COMMENT_OR_TEXT.sub("", included_files.RAW_TEXT.sub("", code))
        uses = [(header, names.search(code)) for header, names, sufficient in RULES if not headers & sufficient]
        found += [f"include <{header}>, which defines {use[0].rstrip('(')}" for header, use in uses if use]
    return found


class DisplayedBlocksTest(unittest.TestCase):
    def test_missing_headers_are_found(self):
        start = "```cpp\n#include <vector>\nint main() {}\n```\n"
        self.assertEqual(missing_headers(start + "## A\n```cpp\nstd::vector<int> x;\n```\n"), [])
        self.assertEqual(missing_headers(start + "## A\n```cpp\n#include <array>\n```\n## B\n```cpp\nstd::array<int, 2> x;\n```\n"),
                         ["include <array>, which defines std::array"])
        self.assertEqual(missing_headers(start + "## A\n```cpp\nassert(x);\n```\n<!-- cpp\n#include <cassert>\n-->\n"),
                         ["include <cassert>, which defines assert"])

    def test_headers_of_cubind_include_others(self):
        self.assertEqual(missing_headers("```cpp\n#include <cubind/core.hpp>\nstd::span<int> x;\nstd::string y;\n```\n"), [])

    def test_each_page_begins_with_a_complete_program(self):
        self.assertGreater(len(PAGES), 20)
        first = {page.name: BLOCK.search(page.read_text(encoding="utf-8")) for page in PAGES}
        others = [page for page, block in first.items() if not block or "\nint main" not in block[1]]
        self.assertEqual(others, [], "the first block of these pages is not a program with main()")

    def test_blocks_include_the_standard_headers_that_they_use(self):
        missing = {page.name: missing_headers(page.read_text(encoding="utf-8")) for page in PAGES}
        self.assertEqual({page: headers for page, headers in missing.items() if headers}, {}, "add #include lines to displayed blocks")

    def test_few_pages_describe_another_side(self):
        self.assertEqual({page.name for page in PAGES if OTHER_SIDE in page.read_text(encoding="utf-8")}, PAGES_WITH_ANOTHER_SIDE)


if __name__ == "__main__":
    unittest.main()
