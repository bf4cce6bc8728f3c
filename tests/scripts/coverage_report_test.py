# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/coverage-report with a summary like those that llvm-cov exports.

usage: coverage_report_test.py REPOSITORY
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(sys.argv[1])
LINES = {  # executed and all lines
    "runtime/core/src/graph/graph.cpp": (90, 100),
    "runtime/core/src/graph/node.cpp": (5, 50),
    "runtime/core/src/stream/stream.cpp": (30, 40),
    "generator/main.cpp": (10, 10),
    "generator/empty.hpp": (0, 0),
    "tests/runtime/core/graph/graph_tests.cpp": (1, 100),
    "generated/driver/src/memory.cpp": (1, 100),
}


class CoverageReportTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve() / "repository"
        for name in [*LINES, "runtime/core/src/graph/unused.cpp"]:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).touch()

    def report(self, lines, percent, *options):
        """Returns the status, and the lines of the output as lists of words."""
        files = [{"filename": str(self.root / name), "summary": {"lines": {"covered": covered, "count": count}}}
                 for name, (covered, count) in lines.items()]
        files.append({"filename": "/usr/include/c++/12/vector", "summary": {"lines": {"covered": 1, "count": 100}}})
        summary = self.root.parent / "summary.json"
        summary.write_text(json.dumps({"data": [{"files": files}]}), encoding="utf-8")
        done = subprocess.run([sys.executable, "-B", REPOSITORY / "scripts" / "coverage-report", summary, self.root, str(percent), *options],
                              capture_output=True, text=True)
        return done.returncode, [line.split() for line in (done.stdout + done.stderr).splitlines()]

    def test_adds_the_lines_of_each_folder(self):
        status, lines = self.report(LINES, 0)
        self.assertEqual(status, 0)
        self.assertEqual(lines[:4], [["100.0", "%", "10", "of", "10", "generator"],
                                     ["63.3", "%", "95", "of", "150", "runtime/core/src/graph"],
                                     ["75.0", "%", "30", "of", "40", "runtime/core/src/stream"],
                                     ["67.5", "%", "135", "of", "200", "all"]])
        self.assertEqual(lines[5][:3], ["0", "of", "4"])

    def test_lists_the_files_below_the_limit_the_worst_first(self):
        for percent, names in ((10, []), (11, ["node.cpp"]), (75, ["node.cpp"]), (76, ["node.cpp", "stream.cpp"])):
            with self.subTest(percent):
                _, lines = self.report(LINES, percent)
                self.assertEqual([line[-1].rsplit("/", 1)[1] for line in lines[6:]], names)

    def test_lists_sources_that_no_program_contains(self):
        self.assertNotIn(["runtime/core/src/graph/unused.cpp"], self.report(LINES, 0)[1])
        self.assertEqual(self.report(LINES, 0, "--complete")[1][-1], ["runtime/core/src/graph/unused.cpp"])

    def test_fails_if_nothing_was_measured(self):
        self.assertEqual(self.report({"tests/a.cpp": (1, 2)}, 50)[0], 1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
