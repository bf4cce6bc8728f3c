# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks the drawings of the pages: each is small and well-formed, needs nothing else, can be read in dark and light, and is on a
page. Also checks that the images of all pages exist."""

import pathlib
import re
import unittest
import xml.etree.ElementTree

DOCS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs"
DRAWINGS = sorted((DOCS / "images").glob("*.svg"))
SVG = "{http://www.w3.org/2000/svg}"
MAX_BYTES = 10_000


def images(page):
    """Yields the files of the images of a page."""
    for link in re.findall(r"!\[[^\]]+\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        yield (page.parent / link).resolve()


class ImagesTest(unittest.TestCase):
    def test_there_are_drawings(self):
        self.assertGreaterEqual(len(DRAWINGS), 6)

    def test_drawings_are_small_and_need_nothing_else(self):
        for drawing in DRAWINGS:
            text = drawing.read_text(encoding="utf-8")
            root = xml.etree.ElementTree.fromstring(text)
            with self.subTest(drawing.name):
                self.assertEqual(root.tag, SVG + "svg")
                self.assertLess(len(text.encode()), MAX_BYTES)
                self.assertTrue(root.findtext(SVG + "title"))
                self.assertIn("(prefers-color-scheme: dark)", root.findtext(SVG + "style"))
                used = {element.tag.removeprefix(SVG) for element in root.iter()}
                self.assertEqual(used & {"script", "image", "use", "foreignObject", "a"}, set())
                self.assertNotRegex(text, r"@import|@font-face|href=")

    def test_what_is_drawn_is_inside_of_the_drawing(self):
        for drawing in DRAWINGS:
            root = xml.etree.ElementTree.parse(drawing).getroot()
            width, height = map(int, root.get("viewBox").split()[2:])
            for element in root.iter():
                if element.get("x") is None: continue
                with self.subTest(drawing.name, element=element.attrib):
                    self.assertLessEqual(int(element.get("x")) + int(element.get("width", "0")), width)
                    self.assertLessEqual(int(element.get("y")) + int(element.get("height", "0")), height)

    def test_each_image_is_on_a_page_and_each_page_finds_its_images(self):
        shown = {image for page in DOCS.rglob("*.md") for image in images(page)}
        self.assertEqual({image for image in shown if not image.is_file()}, set())
        self.assertEqual({drawing for drawing in DRAWINGS if drawing not in shown}, set())


if __name__ == "__main__":
    unittest.main()
