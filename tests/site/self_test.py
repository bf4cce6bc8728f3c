#!/usr/bin/env python3
# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""self_test.py REPOSITORY: each rule of pages_test.py reports the defect that it exists for, and nothing else."""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import pages_test

repository = Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(repository / "docs/site"))
import finish  # noqa: E402
import functions  # noqa: E402
import headers  # noqa: E402
import pages  # noqa: E402


class RulesTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def links(self, text):
        self.write("functions/other.html", '<a id="here"></a><td>CU_NAME</td>')
        self.write("a.css", "")
        self.write("index.html", text)
        return pages_test.check_links(self.folder)

    def test_good_links_pass(self):
        good = '<a id="top" href="#top"></a><link href="a.css"/><a href="functions/other.html#here"></a><a href="https://nvidia.com"></a>'
        self.assertEqual(self.links(good + '<a href="functions/other.html#CU_NAME"></a>'), [])

    def test_broken_links_fail(self):
        for text in ('<a href="no.html">', '<a href="/index.html">', '<a href="#no">', '<a href="functions/other.html#CU_NAM">',
                     '<script src="https://example.org/a.js">', '<img src="images/no.png"/>'):
            self.assertEqual(len(self.links(text)), 1, text)

    def test_large_pages_fail(self):
        self.write("a.html", " " * pages_test.LIMIT)
        self.assertEqual(pages_test.check_sizes(self.folder), [])
        self.write("a.html", " " * (pages_test.LIMIT + 1))
        self.assertEqual(len(pages_test.check_sizes(self.folder)), 1)

    def test_warnings_fail(self):
        self.write("warnings.txt", "a.hpp:1: warning: Member f() of class A is not documented.\n")
        self.assertEqual(len(pages_test.check_warnings(self.folder)), 1)

    def test_missing_functions_fail(self):
        self.write("generated/driver/src/entry_points.cpp", 'constinit EntryPoint cuInit{.symbol = "cuInit", .since = "2.0"};')
        self.write("api-specs/driver/api.json", '{"functions": [{"name": "cuInit", "parameters": [{"name": "Flags"}]}]}')
        self.write("libraries.html", "1 functions of")
        self.assertIn("driver: cuInit has no page", pages_test.check_functions(self.folder, self.folder))
        self.write("functions/group__cuInit.html", "Since 2.0 <div class=\"memproto\"> Flags >NVIDIA's page</a>")
        self.assertEqual(pages_test.check_functions(self.folder, self.folder), [])
        self.write("functions/group__cuInit.html", "Since 2.0 <div class=\"memproto\"> >NVIDIA's page</a>")
        self.assertEqual(pages_test.check_functions(self.folder, self.folder), ["group__cuInit.html lacks Flags"])

    def markdown(self, text):
        self.write("README.md", text)
        self.write("docs/page.md", "# Page\n\n## A `b()`, c-d\n\n## A `b()`, c-d\n")
        return pages_test.check_markdown(self.folder)

    def test_links_of_markdown(self):
        self.assertEqual(self.markdown("# T\n[a](docs/page.md#a-b-c-d-1) `[b](no.md)`\n\n```\n[c](no.md)\n```\n[d `e](f`](#t)\n"), [])
        for text in ("[a](no.md)", "[a](docs/page.md#no)", "[two\nlines](no.md)", "![a](no.png)", "[`a(\"b\")`](no.md)"):
            self.assertEqual(len(self.markdown("# T\n" + text)), 1, text)


class PagesTest(unittest.TestCase):
    def test_labels(self):
        names = {"README.md": "index", "docs/guide/README.md": "guide", "docs/guide/memory.md": "guide-memory",
                 "docs/releases/13.4-13.5.md": "releases-13-4-13-5", "LICENSE": "file-LICENSE",
                 "docs/functions.md": "page-functions", "docs/guide/functions.md": "guide-functions"}
        for path, label in names.items():
            self.assertEqual(pages.label_of(Path(path)), label)

    def test_groups_leave_out_detail(self):
        text = "namespace CUBIND_NAMESPACE {\n\nnamespace detail {\nclass A;\n}\n\nclass B;\nint b();\n\n}  // namespace CUBIND_NAMESPACE"
        begin, end = "  /** @addtogroup g */ /** @{ */", "/** @} */  "
        self.assertEqual(headers.grouped(text, "g").split("\n"),
                         [f"namespace CUBIND_NAMESPACE {{{begin}", "", f"{end}namespace detail {{", "", f"}}{begin}", "", "", "int b();", "",
                          f"{end}}}  // namespace CUBIND_NAMESPACE"])

    def test_versions_of_a_function(self):
        for name in ("cuMemAlloc", "cuMemAlloc_v2", "cuMemAlloc_v2_ptds", "cuMemAlloc_ptsz"):
            self.assertEqual(functions.stem_of(name), "cuMemAlloc")

    def test_links_of_names(self):
        urls = {"cuInit": "functions/group__cuInit.html"}
        html = 'cuInit<div class="contents">cuInit <a href="x">cuInit</a> cuInitial'
        self.assertEqual(finish.link_names(html, urls), 'cuInit<div class="contents"><a href="functions/group__cuInit.html">cuInit</a> '
                                                        '<a href="x">cuInit</a> cuInitial')


if __name__ == "__main__":
    unittest.main()
