# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""loading_test.py FOLDER: tests which driver the simulated management library of the folder uses."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(sys.argv.pop(1))
NAME = "libnvidia-ml.so.1"

# Prints the statuses of nvmlInit, of nvmlDeviceGetCount and of nvmlShutdown.
PROGRAM = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
print(library.nvmlInit_v2(), library.nvmlDeviceGetCount_v2(ctypes.byref(ctypes.c_uint())), library.nvmlShutdown())
"""

# Unloads the library and loads it again, while it has a session. Prints the statuses of two calls.
REOPEN = """
import _ctypes, ctypes, sys
library = ctypes.CDLL(sys.argv[1])
assert library.nvmlInit_v2() == 0
_ctypes.dlclose(library._handle)
again = ctypes.CDLL(sys.argv[1])
print(again.nvmlShutdown(), again.nvmlInit_v2())
"""


def run(program, library):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("CUBIND_SIM", "LD_LIBRARY_PATH"))}
    return subprocess.run([sys.executable, "-c", program, str(library)], env=environment, capture_output=True, text=True, timeout=60)


class LoadingTest(unittest.TestCase):
    def test_finds_the_driver_in_its_folder(self):
        done = run(PROGRAM, FOLDER / NAME)
        self.assertEqual(done.stdout.split(), ["0", "0", "0"], done.stderr)

    def test_requires_the_simulated_driver(self):
        if subprocess.run([sys.executable, "-c", "import ctypes; ctypes.CDLL('libcuda.so.1')"], capture_output=True).returncode == 0:
            self.skipTest("this machine has a driver")
        with tempfile.TemporaryDirectory() as folder:
            library = shutil.copy(FOLDER / NAME, folder)
            done = run(PROGRAM, library)
            self.assertEqual(done.stdout.split(), ["9", "1", "1"], done.stderr)
            # Another library takes the place of a driver that is not simulated.
            shutil.copy(FOLDER / NAME, pathlib.Path(folder, "libcuda.so.1"))
            done = run(PROGRAM, library)
            self.assertEqual(done.stdout.split(), ["9", "1", "1"], done.stderr)

    def test_can_be_unloaded(self):
        done = run(REOPEN, FOLDER / NAME)
        self.assertEqual(done.stdout.split(), ["1", "0"], done.stderr)


if __name__ == "__main__":
    unittest.main()
