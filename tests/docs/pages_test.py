# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that the links of all pages lead to files and headings that exist, that two links lead from README.md to what newcomers ask
for, and that the page of the examples names each of them."""

import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CODE = re.compile(r"^( *)```.*?^\1```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
# What a newcomer asks, and the page and heading with the answer.
QUESTIONS = {
    "How do I install it on Debian?": "docs/install.md#debian-packages",
    "How do I use it in a project with CMake, without installing it?": "docs/install.md#fetchcontent",
    "How do I write, run and test a first program?": "docs/tutorial.md#step-4-test-it",
    "How do I test CUDA code without a GPU?": "docs/testing-without-a-gpu.md#in-a-googletest",
    "What does \"No CUDA driver found\" mean?": "docs/troubleshooting.md#no-cuda-driver-found-libcudaso1-could-not-be-loaded",
    "What does CUDA_ERROR_ILLEGAL_ADDRESS (700) mean?": "docs/troubleshooting.md#cuda_error_illegal_address-700",
    "What is cudaMalloc called here?": "docs/guide/from-cuda-runtime.md#memory",
    "How do I call a function of the driver without exceptions?": "docs/functions.md#you-want-to-do-without-exceptions",
    "How do I copy memory to the device?": "docs/guide/memory.md#copies",
    "How do I measure the time of a kernel?": "docs/guide/streams-and-events.md#time",
    "How do I call a kernel of a .cu file?": "docs/guide/kernel-functions.md",
    "Should I use this or cuda-api-wrappers?": "docs/compared-with.md",
}


def anchors(text):
    """Returns the anchors of the headings: small letters, digits, hyphens and underscores, with hyphens for spaces."""
    found = set()
    for heading in HEADING.findall(re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.DOTALL | re.MULTILINE)):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        number = 1
        while anchor in found:
            anchor, number = f"{anchor.removesuffix(f'-{number - 1}')}-{number}", number + 1
        found.add(anchor)
    return found


def links(text):
    """Returns the targets of the links outside of code."""
    return LINK.findall(CODE.sub("", text))


def broken(page, read):
    """Returns the links of a page without a target. `read` returns the text of a path below the root, or None."""
    bad = []
    for link in links(read(page)):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        path = pathlib.PurePosixPath(page).parent / target if target else pathlib.PurePosixPath(page)
        text = read(path)
        if text is None or (anchor and anchor not in anchors(text)):
            bad.append(link)
    return bad


def read_file(path):
    file = ROOT / path
    if file.is_dir():
        return ""
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else None


class PagesTest(unittest.TestCase):
    def test_links_are_found_outside_of_code(self):
        self.assertEqual(links("[a](b.md) `[c](d)`\n```cpp\n[e](f) {}\n```\n[g](#h)"), ["b.md", "#h"])

    def test_anchors_are_those_of_headings(self):
        self.assertEqual(anchors("# A `b_c`: d\n## E\n## E\n```sh\n# f\n```\n"), {"a-b_c-d", "e", "e-1"})

    def test_broken_links_are_found(self):
        pages = {"docs/a.md": "[b](b.md#b) [c](../c.md) [none](none.md) [d](b.md#d) [web](https://x.org/)", "docs/b.md": "# B", "c.md": ""}
        read = lambda path: pages.get(str(path).replace("docs/../", ""))  # noqa: E731
        self.assertEqual(broken("docs/a.md", read), ["none.md", "b.md#d"])

    def test_links_of_all_pages_have_targets(self):
        listed = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], capture_output=True, text=True)
        pages = listed.stdout.split() or [str(each.relative_to(ROOT)) for each in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]]
        self.assertGreater(len(pages), 60)
        self.assertEqual({page: bad for page in pages if (ROOT / page).exists() and (bad := broken(page, read_file))}, {})

    def test_two_links_lead_to_what_newcomers_ask_for(self):
        def linked(page):
            folder = pathlib.PurePosixPath(page).parent
            targets = (link.partition("#")[0] for link in links(read_file(page)) if not re.match(r"[a-z]+:", link))
            return {os.path.normpath(folder / target) for target in targets if target.endswith(".md")}

        first = linked("README.md")
        reached = first.union(*(linked(page) for page in first))
        for question, answer in QUESTIONS.items():
            with self.subTest(question):
                page, _, anchor = answer.partition("#")
                self.assertIn(page, reached)
                self.assertIn(anchor, anchors(read_file(page)) | {""})

    def test_the_page_of_the_examples_names_each_of_them(self):
        named = {link.split("/examples/")[1] for link in links(read_file("docs/examples.md")) if "/examples/" in f"/{link}"}
        examples = {str(each.relative_to(ROOT / "examples")) for each in (ROOT / "examples").rglob("*.cpp") if "generated" not in each.parts}
        examples |= {str(each.relative_to(ROOT / "examples")) for each in (ROOT / "examples/prof").iterdir()}
        self.assertGreater(len(examples), 50)
        self.assertEqual(named, examples)


if __name__ == "__main__":
    unittest.main()
