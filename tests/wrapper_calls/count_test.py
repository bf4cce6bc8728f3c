# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that the wrapper call tests cover every function of api.json with all of its parameters.

usage: count_test.py REPOSITORY PROGRAM LIBRARY...
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import bound

REPOSITORY, PROGRAM, *LIBRARIES = sys.argv[1:]


def count_checked():
    """Returns {library: {kind of object: number of objects that the program reports as checked}}."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "result.json")
        # The status is ignored: mistakes in wrappers are reported by the tests of the program itself.
        subprocess.run([PROGRAM, f"--gtest_output=json:{path}"], check=False, stdout=subprocess.DEVNULL)
        suites = json.loads(path.read_text(encoding="utf-8"))["testsuites"]
    return {suite["name"].split("/")[0]: {key: sum(int(group.get(key, 0)) for group in suite["testsuite"])
                            for key in ("functions", "parameters", "values", "wrappers")} for suite in suites}


class CountTest(unittest.TestCase):
    def test_every_function_is_checked(self):
        libraries = count_checked()
        self.assertEqual(sorted(libraries), sorted(LIBRARIES))
        for library, counts in libraries.items():
            functions = bound.facts(REPOSITORY, library)["functions"]
            self.assertEqual(counts["functions"], len(functions), library)
            self.assertEqual(counts["parameters"], sum(len(each["parameters"]) for each in functions), library)
            print(f"{library}: {counts['functions']} functions with {counts['parameters']} parameters, {counts['values']} "
                  f"of which are returned as values, and {counts['wrappers']} wrappers")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
