# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Runs cubind-info in a separate environment. The first two arguments of tests that use it are PROGRAM and STAND_INS."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, STAND_INS = sys.argv[1], pathlib.Path(sys.argv[2])
LIBRARIES = ("driver", "nvjitlink", "nvrtc", "runtime")  # that have stand-ins
# The libraries that the program describes: those that the build contains, in the order of the report.
GENERATED = sorted(os.environ["CUBIND_BOUND_LIBRARIES"].split(","), key=lambda name: (name != "driver", name))


def stand_in(name):
    return str(STAND_INS / f"{name}.so")


def everything(**changes):
    """Returns an environment in which each library is a stand-in of the same release. A change to None removes a variable."""
    environment = {f"CUBIND_{name.upper()}_LIBRARY": stand_in("runtime_13" if name == "runtime" else name) for name in LIBRARIES}
    # The runtime's stand-in is of CUDA 13.4, so the others are set to CUDA 13.4.
    environment |= {"STAND_IN_DRIVER": "13040", "STAND_IN_NVRTC": "13040", "STAND_IN_NVJITLINK": "13040", "STAND_IN_PTX": "9040"}
    environment |= changes
    return {name: value for name, value in environment.items() if value is not None}


def run(environment, *arguments):
    # The search for leaks of clang 14 crashes in processes that have loaded some of the vendor's libraries.
    environment = {"ASAN_OPTIONS": "detect_leaks=0", **environment}
    return subprocess.run([PROGRAM, *arguments], env=environment, capture_output=True, check=False)


class InfoTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def text(self, environment, *arguments, status=0):
        result = run(environment, *arguments)
        self.assertEqual(result.returncode, status, result)
        self.assertEqual(result.stderr, b"")
        return result.stdout.decode()

    def facts(self, environment, status=None):
        """Returns the facts of --json. Checks that the exit status of both forms is 1 if there are mismatches, else 0."""
        result = run(environment, "--json")
        facts = json.loads(result.stdout.decode())
        self.assertEqual(result.returncode, int(bool(facts["mismatches"])), result)
        self.assertEqual(run(environment).returncode, result.returncode)
        if status is not None:
            self.assertEqual(result.returncode, status, facts["mismatches"])
        return facts

    def one_line(self, text):
        return " ".join(text.split())


def main():
    unittest.main(argv=sys.argv[:1])
