# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""injection_test.py CUBIND_SIM LIBRARY LIBRARY_WITHOUT_FUNCTION PROGRAM: tests CUDA_INJECTION64_PATH with the simulated driver."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

LAUNCHER, LIBRARY, WITHOUT_FUNCTION, PROGRAM = sys.argv[1:5]
INJECTED, INITIALIZED = "injected 0 0 1\n", "initialized 1 0 0\n"
FORKS = """
import ctypes, os, sys
def initialize():
    return ctypes.CDLL("libcuda.so.1").cuInit(0)
for _ in range(2):
    if os.fork() == 0:
        sys.exit(initialize())
    assert os.wait()[1] == 0
"""


def run(*command, path=None, **options):
    environment = {key: value for key, value in os.environ.items() if key != "CUDA_INJECTION64_PATH"}
    if path is not None:
        environment["CUDA_INJECTION64_PATH"] = path
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True, timeout=60, **options)
    return done.stdout, done.stderr


class InjectionTest(unittest.TestCase):
    def test_the_library_is_loaded_once_when_the_driver_is_initialized(self):
        self.assertEqual(run(LAUNCHER, PROGRAM), (INITIALIZED, ""))
        self.assertEqual(run(LAUNCHER, PROGRAM, path=""), (INITIALIZED, ""))
        self.assertEqual(run(LAUNCHER, PROGRAM, path=LIBRARY), (INJECTED + INITIALIZED, ""))

    def test_each_process_loads_the_library(self):
        self.assertEqual(run(LAUNCHER, sys.executable, "-c", FORKS, path=LIBRARY), (2 * INJECTED, ""))

    def test_the_program_runs_without_a_library_that_is_missing(self):
        for path, reason in (("/no/such/library.so", "cannot open shared object file"), (WITHOUT_FUNCTION, "no function InitializeInjection")):
            out, errors = run(LAUNCHER, PROGRAM, path=path)
            self.assertEqual(out, INITIALIZED)
            for word in ("CUDA_INJECTION64_PATH", path, reason):
                self.assertIn(word, errors)
            self.assertEqual(len(errors.splitlines()), 1)

    @unittest.skipUnless(os.geteuid() == 0, "only root can make a program of another user")
    def test_a_setuid_program_loads_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            program = pathlib.Path(folder, "program")
            shutil.copy(PROGRAM, program)
            os.chmod(program, 0o4755)
            try:
                out = run(program, path=LIBRARY, user=65534, group=65534, extra_groups=[])
            except (subprocess.CalledProcessError, PermissionError) as error:
                self.skipTest(f"the other user cannot read the build folder: {error}")
            self.assertEqual(out, (INITIALIZED, ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
