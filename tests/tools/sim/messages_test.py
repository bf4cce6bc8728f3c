# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""messages_test.py CUBIND_SIM: tests what users of cubind-sim read about programs that cannot run."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

launcher = sys.argv.pop(1)

# Loads PTX for sm_90 as two modules and as a library, and prints the statuses.
LOAD = """
import ctypes, sys
driver = ctypes.CDLL("libcuda.so.1")
context, module, kernel = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
assert driver.cuInit(0) == 0
assert driver.cuCtxCreate_v2(ctypes.byref(context), 0, 0) == 0
ptx = b".version " + sys.argv[1].encode() + b"\\n.target sm_90\\n.address_size 64\\n.visible .entry nothing() { ret; }"
statuses = [driver.cuModuleLoadData(ctypes.byref(module), ptx) for _ in range(2)]
assert driver.cuLibraryLoadData(ctypes.byref(module), ptx, None, None, 0, None, None, 0) == 0
print(*statuses, driver.cuLibraryGetKernel(ctypes.byref(kernel), module, b"nothing"))
"""


def run(*arguments, **variables):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CUBIND_SIM")} | variables
    return subprocess.run([launcher, *arguments], env=environment, capture_output=True, text=True, timeout=60)


class StartTest(unittest.TestCase):
    def run_file(self, name, content=b"", mode=0o755, program="./{}"):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, name)
            file.write_bytes(content)
            file.chmod(mode)
            done = subprocess.run([os.path.abspath(launcher), program.format(name)], cwd=folder, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.stdout, done.stderr.count("\n")), ("", 1), done.stderr)
        return done.returncode, done.stderr

    def test_names_the_interpreter_of_scripts(self):
        for arguments, expected in ((dict(mode=0o644), 126), (dict(mode=0o644, program="{}"), 127), (dict(content=b"import sys\n"), 126)):
            status, text = self.run_file("script.py", **arguments)
            self.assertEqual(status, expected, text)
            self.assertRegex(text, "cubind-sim python3 (./)?script.py$")

    def test_explains_why_a_file_cannot_be_started(self):
        other_machine = pathlib.Path("/proc/self/exe").read_bytes()[:64]
        other_machine = other_machine[:18] + b"\x01\x00" + other_machine[20:]
        for content, expected, text in ((b"#!/missing/interpreter\n", 127, "/missing/interpreter"), (other_machine, 126, "another kind of machine")):
            status, message = self.run_file("program", content)
            self.assertEqual(status, expected, message)
            self.assertIn(text, message)

    def test_searches_programs_in_the_folders_of_path(self):
        self.assertEqual(self.run_file("program", program="{}")[0], 127)
        self.assertIn("start ./program", self.run_file("program", program="{}")[1])
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "program").write_text("#!/bin/sh\nexit 7\n")
            os.mkdir(os.path.join(folder, "folder"))
            self.assertEqual(run("program", PATH=f"/missing:{folder}").returncode, 127, "not executable")
            os.chmod(os.path.join(folder, "program"), 0o755)
            self.assertEqual(run("program", PATH=f"/missing:{folder}").returncode, 7)
            self.assertEqual(run("folder", PATH=folder).returncode, 127)
        self.assertEqual(run("").returncode, 127)


class PrivateTablesTest(unittest.TestCase):
    def test_explains_once_why_a_static_runtime_library_fails(self):
        ask = 'assert driver.cuGetExportTable(ctypes.byref(ctypes.c_void_p()), bytes(16)) == 1; '
        done = run(sys.executable, "-c", 'import ctypes; driver = ctypes.CDLL("libcuda.so.1"); ' + 2 * ask)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (0, 1), done.stderr)
        self.assertRegex(done.stderr, "cuGetExportTable: CUDA_ERROR_INVALID_VALUE: .*nvcc -cudart shared")


class UnfitCodeTest(unittest.TestCase):
    def load(self, version, *options):
        done = run(*options, sys.executable, "-c", LOAD, version)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip(), done.stderr

    def test_names_code_for_another_device_once(self):
        statuses, text = self.load("8.0", "--arch", "sm_80")
        self.assertEqual((statuses, text.count("\n")), ("218 218 218", 1), text)
        self.assertRegex(text, "CUDA_ERROR_INVALID_PTX: .*sm_90.*8[.]0.*cubind-sim --arch")

    def test_names_code_for_a_later_driver_once(self):
        statuses, text = self.load("8.8", "--release", "12.4")
        self.assertEqual((statuses, text.count("\n")), ("222 222 222", 1), text)
        self.assertRegex(text, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION: .*8[.]8.*8[.]4.*cubind-sim --release")

    def test_reports_nothing_about_code_that_fits(self):
        self.assertEqual(self.load("8.0"), ("0 0 0", ""))

    def test_names_a_driver_that_is_older_than_the_runtime_library(self):
        call = 'import ctypes; runtime = ctypes.CDLL("libcudart.so.13"); print(runtime.cudaFree(None), runtime.cudaFree(None))'
        done = run("--release", "12.9", sys.executable, "-c", call)
        self.assertEqual((done.stdout.strip(), done.stderr.count("\n")), ("35 35", 1), done.stderr)
        self.assertRegex(done.stderr, "cudaErrorInsufficientDriver: .*12[.]9.*13[.]0.*cubind-sim --release")


if __name__ == "__main__":
    unittest.main()
