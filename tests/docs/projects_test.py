# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests how pages are read and followed."""

import pathlib
import tempfile
import unittest

import projects

PAGE = "```cpp\n// a.txt\n```\n```sh\ntrue\ncat a.txt\n```\n```text\n{}\n```\n"


class ProjectsTest(unittest.TestCase):
    def follow(self, text):
        with tempfile.TemporaryDirectory() as folder:
            return projects.follow(text, pathlib.Path(folder) / "page", projects.environment_with("/no/prefix"))

    def test_files_commands_and_outputs_are_found_in_order(self):
        text = "```cpp\n// a.cpp\nint a;\n```\n    not run\n```sh\nls\n```\n```text\na.cpp\n```\n```cpp\nint b;\n```\n"
        self.assertEqual(list(projects.steps(text)), [("file", "a.cpp", "// a.cpp\nint a;\n"), ("run", "ls\n"), ("output", "a.cpp\n")])

    def test_pages_are_followed(self):
        self.assertEqual(self.follow(PAGE.format("// a.txt")), 2)
        self.assertEqual(self.follow(PAGE.format("// ...t")), 2)

    def test_other_output_is_an_error(self):
        for output in ("// b.txt", "a.txt", "// a...."):
            with self.assertRaisesRegex(AssertionError, "printed"):
                self.follow(PAGE.format(output))

    def test_a_command_that_fails_is_an_error(self):
        with self.assertRaisesRegex(AssertionError, "returned 3"):
            self.follow("```sh\nexit 3\n```\n")


if __name__ == "__main__":
    unittest.main()
