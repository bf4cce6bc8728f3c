# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""The wrapper call tests check every function that api.json has, with as many parameters as it has.

usage: count_test.py REPOSITORY PROGRAM
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import bound

REPOSITORY, PROGRAM = sys.argv[1:]


def checked():
    """{library: {what: number of it that the program says it checked}}."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "result.json")
        # Whether it finds mistakes is for its own run to say.
        subprocess.run([PROGRAM, f"--gtest_output=json:{path}"], check=False, stdout=subprocess.DEVNULL)
        suites = json.loads(path.read_text(encoding="utf-8"))["testsuites"]
    return {suite["name"]: {key: sum(int(group.get(key, 0)) for group in suite["testsuite"])
                            for key in ("functions", "parameters", "values", "wrappers")} for suite in suites}


class CountTest(unittest.TestCase):
    def test_every_function_is_checked(self):
        libraries = checked()
        self.assertEqual(sorted(libraries), sorted(each.name for each in pathlib.Path(REPOSITORY, "api-specs").iterdir()))
        for library, counts in libraries.items():
            functions = bound.facts(REPOSITORY, library)["functions"]
            self.assertEqual(counts["functions"], len(functions), library)
            self.assertEqual(counts["parameters"], sum(len(each["parameters"]) for each in functions), library)
            print(f"{library}: {counts['functions']} functions, {counts['parameters']} parameters of which {counts['values']} come "
                  f"back as values, {counts['wrappers']} ways to call them")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
