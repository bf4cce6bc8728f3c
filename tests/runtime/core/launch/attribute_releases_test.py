# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""What an error says about the release that a launch attribute needs is what the spec says.

usage: attribute_releases_test.py API_JSON REFUSED_LAUNCH_CPP
"""
import json
import pathlib
import re
import sys
import unittest

API, SOURCE = map(pathlib.Path, sys.argv[1:])


def of_the_spec():
    enums = json.loads(API.read_text(encoding="utf-8"))["enums"]
    (ids,) = [each for each in enums if each["name"] == "CUlaunchAttributeID_enum"]
    releases = {}
    for each in ids["enumerators"]:
        if "since" in each:
            major, minor = map(int, each["since"].split("."))
            releases[each["name"]] = 1000 * major + 10 * minor
    return releases


def of_the_source():
    releases, waiting = {}, []
    for name, release in re.findall(r"case driver::(CU_LAUNCH_ATTRIBUTE_\w+):|return (\d+);", SOURCE.read_text(encoding="utf-8")):
        if name:
            waiting.append(name)
        else:
            releases.update(dict.fromkeys(waiting, int(release)))
            waiting = []
    return releases


class AttributeReleasesTest(unittest.TestCase):
    def test_they_are_the_same(self):
        self.assertGreaterEqual(len(of_the_spec()), 7)
        self.assertEqual(of_the_source(), of_the_spec())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
