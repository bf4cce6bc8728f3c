# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""static_runtime_test.py CUBIND_SIM STRIP PROGRAM LIBRARY OLDER: tests that programs with a static runtime library run."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

launcher, strip, program, library, older = sys.argv[1:6]
del sys.argv[1:6]
REDIRECTED = "0 2, 0 1 100 20, 0\n"  # statuses, the number of devices, memory and its extent
OPENED = "import ctypes, sys; sys.exit(ctypes.CDLL(sys.argv[1]).call_runtime())"


class StaticRuntimeTest(unittest.TestCase):
    def start(self, *command, **variables):
        return subprocess.run([launcher, "--devices", "2", *command], env=os.environ | variables, capture_output=True, text=True,
                              timeout=120, check=False)

    def test_redirects_a_program(self):
        result = self.start(program)
        self.assertEqual((result.stdout, result.stderr, result.returncode), (REDIRECTED, "", 0))

    def test_redirects_a_library_that_is_opened(self):
        result = self.start(sys.executable, "-c", OPENED, library)
        self.assertEqual((result.stdout, result.stderr, result.returncode), (REDIRECTED, "", 0))

    def test_leaves_a_library_of_an_earlier_release(self):
        result = self.start(older)
        self.assertEqual(result.returncode, 3, result.stdout)
        self.assertIn("12345", result.stdout)

    def test_names_files_without_symbols(self):
        for original, command in (program, []), (library, [sys.executable, "-c", OPENED]):
            with tempfile.TemporaryDirectory() as folder:
                stripped = pathlib.Path(folder, "stripped.so")
                subprocess.run([strip, "-o", stripped, original], check=True)
                result = self.start(*command, stripped)
            self.assertEqual((result.returncode, result.stderr.count("\n")), (3, 1), result.stderr)
            self.assertRegex(result.stderr, f"cuGetExportTable: CUDA_ERROR_INVALID_VALUE: {re.escape(str(stripped))} .*nvcc -cudart shared")

    def test_leaves_damaged_files(self):
        content = pathlib.Path(program).read_bytes()
        sections = int.from_bytes(content[40:48], "little")
        with tempfile.TemporaryDirectory() as folder:
            damaged = pathlib.Path(folder, "program")
            # Offsets and sizes of the sections beyond the end of the file, and a table of sections beyond it.
            for first, count in ((sections, len(content) - sections), (40, 8), (58, 4)):
                damaged.write_bytes(content[:first] + b"\xff" * count + content[first + count:])
                shutil.copymode(program, damaged)
                self.assertEqual(self.start(damaged).returncode, 3, first)

    def test_reports_that_the_simulated_library_cannot_be_loaded(self):
        with tempfile.TemporaryDirectory() as folder:
            simulation = pathlib.Path(folder, "sim")
            shutil.copytree(pathlib.Path(launcher).resolve().parents[2] / "sim", simulation)
            content = bytearray((simulation / "libcudart.so.13").read_bytes())
            content[18] ^= 0xff  # the kind of processor
            (simulation / "libcudart.so.13").write_bytes(content)
            result = subprocess.run([program], env=os.environ | {"LD_AUDIT": str(simulation / "libcubind_sim_compilers.so")},
                                    capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((result.stdout, result.returncode), ("303 0, 303 0 0 0, 303\n", 0))
        self.assertRegex(result.stderr, "^cubind: cubind-sim: cudaGetDeviceCount of the simulated .*libcudart.so.13.*\n$")


if __name__ == "__main__":
    unittest.main()
