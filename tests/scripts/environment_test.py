# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests own_environment() of scripts/lib.sh, with which scripts/test starts.

usage: environment_test.py REPOSITORY
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(sys.argv.pop(1))
LEFT_OUT = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH",
            "PYTHONPATH", "CXXFLAGS", "CUBIND_NVRTC_LIBRARY")
KEPT = {"CI": "true", "CUBIND_CACHE": "/a folder", "PIP_CERT": "/a\nb", "https_proxy": "proxy"}


class EnvironmentTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.script = pathlib.Path(folder.name, "script")
        self.script.write_text(f'set -euo pipefail\nsource {REPOSITORY}/scripts/lib.sh\n'
                               'own_environment "$@"\n(($# == 0)) || printf "%s\\0" "$@"\nenv -0\n',
                               encoding="utf-8")

    def run_script(self, *arguments):
        """Returns the arguments and the environment that the script has at last."""
        environment = {**os.environ, **KEPT, **{name: "/nowhere" for name in LEFT_OUT}}
        parts = subprocess.run(["bash", self.script, *arguments], env=environment, check=True, capture_output=True, text=True).stdout.split("\0")
        return parts[:len(arguments)], dict(each.split("=", 1) for each in parts[len(arguments):-1])

    def test_leaves_out_what_changes_compilers_and_the_search_of_libraries(self):
        _, environment = self.run_script()
        self.assertEqual([name for name in LEFT_OUT if name in environment], [])

    def test_keeps_what_programs_need(self):
        _, environment = self.run_script()
        self.assertEqual({name: environment.get(name) for name in KEPT}, KEPT)
        self.assertEqual(environment["PATH"], os.environ["PATH"])

    def test_keeps_the_arguments(self):
        self.assertEqual(self.run_script("--full", "two words", "")[0], ["--full", "two words", ""])

    def test_scripts_that_start_a_script_start_it_in_the_same_way(self):
        self.assertNotIn("CUBIND_ENVIRONMENT", self.run_script()[1])

    def test_is_the_first_step_of_the_tests(self):
        text = (REPOSITORY / "scripts/test").read_text(encoding="utf-8")
        self.assertRegex(text, re.compile(r'/lib\.sh"\nown_environment "\$@"\n'))


unittest.main()
