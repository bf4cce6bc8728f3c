# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of cubind-prof share. Their arguments: CUBIND_PROF CUBIND_SIM STAND_IN_FOR_CUPTI STATIC_PROGRAM RANGE_PROGRAM. "-" for
the second and the third is the driver of this machine, and its CUPTI."""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROF, SIM, CUPTI, STATIC, RANGES = sys.argv[1:6]
GPU = str(pathlib.Path(__file__).with_name("gpu.py"))
PYTHON = (sys.executable, "-B", GPU)


def environment(**variables):
    left = {key: value for key, value in os.environ.items() if "INJECTION64" not in key and not key.startswith("CUBIND_PROF")}
    return {**left, **({} if CUPTI == "-" else {"CUBIND_CUPTI_LIBRARY": CUPTI}), **variables}


class Result:
    def __init__(self, done, folder):
        self.status, self.out, self.errors, self.folder = done.returncode, done.stdout, done.stderr, folder

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def kernels(self):
        """Returns the number of kernels in each file of comma-separated values, sorted."""
        return sorted(len(list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))) for path in self.folder.glob("*.csv"))


class ProfTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def prof(self, *arguments, variables=None, **options):
        """Runs cubind-prof on the simulated driver in the folder of the test."""
        launcher = [] if SIM == "-" else [SIM]
        done = subprocess.run([*launcher, PROF, *map(str, arguments)], env=environment(**(variables or {})), cwd=self.folder,
                              capture_output=True, text=True, timeout=60, check=False, **options)
        return Result(done, self.folder)

    def profile(self, *actions, **options):
        return self.prof("-f", "csv", *PYTHON, *actions, **options)


def main():
    unittest.main(argv=sys.argv[:1])
