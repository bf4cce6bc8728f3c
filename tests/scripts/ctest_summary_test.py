# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/ctest-summary with reports like those that ctest writes.

usage: ctest_summary_test.py REPOSITORY
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv[1]) / "scripts" / "ctest-summary"
CRASH = "Tracer caught signal 11: addr=0xc80\n==7==LeakSanitizer has encountered a fatal error."
LEAK = "==7==ERROR: LeakSanitizer: detected memory leaks"


class CtestSummaryTest(unittest.TestCase):
    def report(self, **cases):
        """Writes a report of tests with these outputs, and returns its path. A test without output passed, "skip" skipped itself."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        lines = ["<testsuite>"]
        for name, output in cases.items():
            status = "run" if not output else "notrun" if output == "skip" else "fail"
            skipped = '<skipped message="SKIP_RETURN_CODE=77"/>' if output == "skip" else ""
            lines.append(f'<testcase name="{name.replace("_", ".")}" status="{status}">{skipped}<system-out>{output}</system-out></testcase>')
        path = pathlib.Path(folder.name) / "report.xml"
        path.write_text("\n".join([*lines, "</testsuite>"]), encoding="utf-8")
        return path

    def run_script(self, *arguments):
        done = subprocess.run([sys.executable, "-B", SCRIPT, *arguments], capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    def test_counts_and_names_tests(self):
        lines = self.run_script(self.report(a_b="", c="wrong value", d="skip"))
        self.assertEqual(lines, ["1 1 1", "failed: c", "    wrong value", "skipped 1: skip (d)"])

    def test_names_the_tests_whose_leaks_could_not_be_checked(self):
        report = self.report(a_b=CRASH, acb="", c=LEAK, d=CRASH, e="skip")
        (expression,) = self.run_script("--interrupted", report)
        names = ["a.b", "acb", "c", "d", "e"]
        self.assertEqual([name for name in names if re.search(expression, name)], ["a.b", "d"])

    def test_names_nothing_if_no_search_for_leaks_crashed(self):
        self.assertEqual(self.run_script("--interrupted", self.report(a="", b=LEAK)), [])

    def test_uses_the_result_of_a_repeated_test(self):
        report = self.report(a=CRASH, b=CRASH, c=LEAK, d="")
        lines = self.run_script(report, self.report(a="", b=LEAK))
        self.assertEqual(lines[0], "2 2 0")
        self.assertEqual([line for line in lines if line.startswith("failed")], ["failed: b", "failed: c"])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
