# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""compile_test.py CUBIND_SIM PROGRAM NVRTC [RELEASE]: tests that compilers hand out PTX to programs that cubind-sim starts."""
import subprocess
import sys
import unittest

launcher, program, nvrtc, *release = sys.argv[1:]
del sys.argv[1:]
# Without it, the newest release is simulated.
options = ["--release", *release] if release else []

# Opens NVRTC by its path, as Python packages do, and prints the status of the machine code, and its first bytes, for sm_90. Prints
# the status for compute_90, for which NVRTC has none.
OPENED_BY_PATH = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
for target in b"--gpu-architecture=sm_90", b"--gpu-architecture=compute_90":
    handle, size = ctypes.c_void_p(), ctypes.c_size_t()
    assert library.nvrtcCreateProgram(ctypes.byref(handle), b"__global__ void k() {}", None, 0, None, None) == 0
    assert library.nvrtcCompileProgram(handle, 1, (ctypes.c_char_p * 1)(target)) == 0
    status = library.nvrtcGetCUBINSize(handle, ctypes.byref(size))
    code = ctypes.create_string_buffer(max(size.value, 1))
    status = status or library.nvrtcGetCUBIN(handle, code)
    print(status == 0 and size.value > 0, b".target sm_90" in code.value, code.raw[1:4] == b"ELF")
"""


class CompileTest(unittest.TestCase):
    def start(self, *command):
        return subprocess.run([launcher, *options, *command], capture_output=True, text=True, timeout=300, check=False)

    def test_runs_a_program_that_asks_for_machine_code(self):
        result = self.start(program)
        self.assertEqual(result.returncode, 0, result.stderr)
        kinds = ["NVRTC", "two options", "PTX", "cubins", "LTO-IR", "LTO-IR and PTX", "LTO-IR and cubins", "LTO-IR and library"]
        self.assertEqual(result.stdout.splitlines(), [f"{kind}: text, 42" for kind in kinds])
        self.assertEqual(result.stderr, "")  # the simulation finds nothing to report

    def test_keeps_machine_code_if_it_is_requested(self):
        result = self.start("--machine-code", program)
        self.assertEqual(result.returncode, 1)
        self.assertIn("kernel compute: CUDA_ERROR_NOT_SUPPORTED", result.stderr)
        self.assertIn("cubind-sim", result.stderr)

    def test_replaces_functions_of_a_library_that_is_opened_by_its_path(self):
        result = self.start(sys.executable, "-c", OPENED_BY_PATH, nvrtc)
        self.assertEqual(result.stdout.splitlines(), ["True True False", "False False False"], result.stderr)
        result = self.start("--machine-code", sys.executable, "-c", OPENED_BY_PATH, nvrtc)
        self.assertEqual(result.stdout.splitlines(), ["True False True", "False False False"], result.stderr)


if __name__ == "__main__":
    unittest.main()
