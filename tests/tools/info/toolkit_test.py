# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests cubind-info with the vendor's own libraries and a stand-in driver. usage: toolkit_test.py PROGRAM STAND_INS LIBRARIES"""
import json
import pathlib
import re
import sys

import program

GIVEN = pathlib.Path(sys.argv[3]).resolve()


def releases():
    """Returns the folders with libraries by release, which is (major, minor)."""
    found = {}
    for folder in [GIVEN, *GIVEN.parent.parent.glob("[0-9]*/lib")]:
        for file in folder.glob("libnvrtc-builtins.so.*"):
            found[tuple(map(int, re.search(r"builtins\.so\.(\d+)\.(\d+)", file.name).groups()))] = folder.resolve()
    return found


def environment(folder, release, driver):
    major = release[0]
    return {"CUBIND_DRIVER_LIBRARY": program.stand_in("driver"), "STAND_IN_DRIVER": str(1000 * driver[0] + 10 * driver[1]),
            "CUBIND_NVRTC_LIBRARY": str(folder / f"libnvrtc.so.{major}"),
            "CUBIND_NVJITLINK_LIBRARY": str(folder / f"libnvJitLink.so.{major}"),
            "CUBIND_RUNTIME_LIBRARY": str(folder / "libcudart.so.13") if major == 13 else program.stand_in("runtime_13")}


class ToolkitTest(program.InfoTest):
    def test_finds_the_given_libraries(self):
        self.assertIn(GIVEN, releases().values())

    def test_nvrtc_emits_the_ptx_isa_in_the_table(self):
        for release, folder in releases().items():
            with self.subTest(release):
                facts = self.facts(environment(folder, release, release))
                self.assertIsNone(facts["compiler"]["problem"])
                self.assertEqual(facts["compiler"]["ptx_isa"], facts["driver"]["ptx_isa"])
                self.assertTrue(facts["driver"]["ptx_isa_is_exact"])
                self.assertIn(90, facts["compiler"]["architectures"])
                self.assertEqual(facts["libraries"]["nvrtc"]["version"], "%d.%d" % release)

    def test_accepts_libraries_of_one_release(self):
        for release, folder in releases().items():
            if release[0] != 13:
                continue  # the runtime's bindings are of major 13
            with self.subTest(release):
                self.assertEqual(self.facts(environment(folder, release, release))["mismatches"], [])

    def test_reports_an_older_driver(self):
        for release, folder in releases().items():
            if release[0] != 13:
                continue
            mismatches = self.facts(environment(folder, release, (12, 4)))["mismatches"]
            self.assertEqual([each["id"] for each in mismatches], ["runtime_too_new", "ptx_too_new"])

    def test_reports_the_own_version_of_a_library(self):
        tested = 0
        for file in sorted((pathlib.Path(__file__).parents[3] / "api-specs").glob("*/library.json")):
            library, settings = file.parent.name, json.loads(file.read_text(encoding="utf-8"))
            paths = [GIVEN / name for name in settings["loading"]["file_names"] if (GIVEN / name).is_file()]
            if "release" in settings or "version_function" not in settings["loading"] or not paths:
                continue
            tested += 1
            with self.subTest(library):
                given = {"CUBIND_DRIVER_LIBRARY": program.stand_in("driver"), f"CUBIND_{library.upper()}_LIBRARY": str(paths[0])}
                version = self.facts(given)["libraries"][library]["version"]
                self.assertIn(version, json.loads(file.with_name("api.json").read_text(encoding="utf-8"))["releases"])
        if not tested:
            self.skipTest("the folder has no library that is published independently of CUDA")

    def test_nvjitlink_of_12_0_lacks_its_version_function(self):
        if (12, 0) not in releases():
            self.skipTest("CUDA 12.0 is not in the folder of the given libraries")
        library = self.facts(environment(releases()[12, 0], (12, 0), (12, 0)))["libraries"]["nvjitlink"]
        self.assertIsNone(library["version"])
        lacking = {each["symbol"] for each in library["lacking_functions"]}
        self.assertIn("nvJitLinkVersion", lacking)
        self.assertNotIn("nvJitLinkCreate", lacking)


if __name__ == "__main__":
    program.main()
