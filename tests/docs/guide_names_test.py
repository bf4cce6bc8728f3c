# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that the names on the pages for users of other libraries exist. The first name of each piece of code must be a word in
cubind's public headers. Also checks that the indexes of the guide and of the decisions name every page, and that pages name
the headers outside of the classes."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GUIDE = ROOT / "docs/guide"
LIBRARIES = ("cublas", "cublaslt", "cudss", "cufft", "cupti", "curand", "cusolver", "cusparse", "cusparselt", "cutensor", "driver", "mathdx", "nccl", "nvrtc",
             "nvshmem", "runtime")
HEADERS = [*ROOT.glob("runtime/**/include/**/*.hpp"),
           *(header for library in LIBRARIES for header in ROOT.glob(f"generated/{library}/include/**/*.hpp"))]
ROW = re.compile(r"^\| .* \| (.*) \| .*\|$", re.MULTILINE)
NAME = re.compile(r"^(?!std::)\{?\.?(?:(\w+)::)?(\w+)")
NOT_CUBIND = {"int", "bool", "double", "float", "obj", "Class"}
# The pages, and the number of names that each has at least.
COMING_FROM = {"cuda-core": 150, "cuda-runtime": 130, "cuda-api-wrappers": 100, "cupti-python": 100, "jitify": 40, "nccl4py": 70, "nsight-python": 40, "nvmath": 150, "nvshmem4py": 80, "rmm": 40}


def names(page):
    """Yields the names in the second column of all tables of a page."""
    for row in ROW.findall(page):
        for code in re.findall(r"`([^`]+)`", row):
            found = NAME.match(code)
            if found and "..." not in code:
                yield from (name for name in found.groups() if name)

# The headers of all libraries, the layers and the simulation. The guide describes classes, whose headers are named after them.
HEADERS_ON_PAGES = ("runtime/**/include/cubind/*.hpp", "runtime/layers/include/cubind/layers/*.hpp", "*/include/cubind/sim/*.hpp",
                    "*/*/include/cubind/sim/*.hpp")
INCLUDED_BY_OTHERS = {"cubind/sim/kernel_body.hpp"}



def words_of(headers):
    return set(re.findall(r"\w+", "\n".join(header.read_text(encoding="utf-8") for header in headers)))


class GuideNamesTest(unittest.TestCase):
    def test_names_are_found(self):
        page = "| a | b | c |\n|---|---|---|\n| `x` | `A::b(c)`, `{.d = 1}` | `y` |\n| `x` | e, `f()`, `set_...` | |\n"
        self.assertEqual(list(names(page)), ["A", "b", "d", "f"])

    def test_each_name_for_users_of_other_libraries_exists(self):
        words = words_of(HEADERS)
        self.assertEqual({f"from-{library}.md" for library in COMING_FROM}, {page.name for page in GUIDE.glob("from-*.md")})
        for library, least in COMING_FROM.items():
            named = set(names((GUIDE / f"from-{library}.md").read_text(encoding="utf-8")))
            with self.subTest(library):
                self.assertGreater(len(named), least)
                self.assertEqual(named - words - NOT_CUBIND, set())

    def test_each_function_of_the_runtime_api_exists(self):
        words = words_of(ROOT.glob("generated/runtime/include/**/*.hpp"))
        rows = re.findall(r"^\| (.*?) \| .* \| .*\|$", (GUIDE / "from-cuda-runtime.md").read_text(encoding="utf-8"), re.MULTILINE)
        named = {name for row in rows for name in re.findall(r"`(cuda[A-Z]\w+)", row)}
        self.assertGreater(len(named), 120)
        self.assertEqual(named - words, set())

    def test_each_index_names_every_page(self):
        for folder in (GUIDE, ROOT / "docs/decisions"):
            index = (folder / "README.md").read_text(encoding="utf-8")
            pages = {page.name for page in folder.glob("*.md")} - {"README.md"}
            self.assertGreater(len(pages), 5)
            self.assertEqual({page for page in pages if f"({page})" not in index}, set())

    def test_pages_name_every_header_outside_of_the_classes(self):
        pages = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *GUIDE.glob("*.md")]
        text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
        headers = {header.as_posix().split("/include/")[1] for pattern in HEADERS_ON_PAGES for header in ROOT.glob(pattern)}
        self.assertGreaterEqual(headers, {"cubind/result.hpp", "cubind/core.hpp", "cubind/layers/trace.hpp", "cubind/sim/install.hpp"})
        self.assertEqual({header for header in headers - INCLUDED_BY_OTHERS if f"<{header}>" not in text}, set())


if __name__ == "__main__":
    unittest.main()
