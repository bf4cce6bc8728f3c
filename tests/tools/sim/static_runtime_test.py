# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""static_runtime_test.py CUBIND_SIM STRIP PROGRAM LIBRARY OLDER AUDIT: tests that programs with a static runtime library run."""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

launcher, strip, program, library, older, audit = sys.argv[1:7]
del sys.argv[1:7]
REDIRECTED = "0 2, 0 1 100 20, 0\n"  # statuses, the number of devices, memory and its extent
OPENED = "import ctypes, sys; sys.exit(ctypes.CDLL(sys.argv[1]).call_runtime())"


def symbol_offset(content, wanted):
    """Returns the offset of a symbol's entry in the table of local symbols."""
    first, = struct.unpack_from("<Q", content, 40)
    sections = [struct.unpack_from("<IIQQQQIIQQ", content, first + 64 * i) for i in range(struct.unpack_from("<H", content, 60)[0])]
    table = next(each for each in sections if each[1] == 2)
    names = sections[table[6]][4]
    for offset in range(table[4], table[4] + table[5], 24):
        begin = names + struct.unpack_from("<I", content, offset)[0]
        if content[begin:content.index(b"\0", begin)] == wanted.encode():
            return offset
    raise LookupError(wanted)


def code_segment_offset(content):
    """Returns the offset of the first program header whose segment is executable."""
    first, = struct.unpack_from("<Q", content, 32)
    return next(first + 56 * i for i in range(struct.unpack_from("<H", content, 56)[0])
                if struct.unpack_from("<II", content, first + 56 * i) == (1, 5))


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

    def write_program(self, folder, *changes):
        """Writes a copy of the program with other bytes at some offsets."""
        content = bytearray(pathlib.Path(program).read_bytes())
        for offset, new in changes:
            content[offset:offset + len(new)] = new
        path = pathlib.Path(folder, "program")
        path.write_bytes(content)
        shutil.copymode(program, path)
        return path

    def test_leaves_a_program_whose_symbols_are_not_in_its_code(self):
        value = symbol_offset(pathlib.Path(program).read_bytes(), "cudaFree") + 8
        data = symbol_offset(pathlib.Path(program).read_bytes(), "libcudart_static_stand_in") + 8
        with tempfile.TemporaryDirectory() as folder:
            address_of_data = pathlib.Path(program).read_bytes()[data:data + 8]
            for wrong in (b"\0" * 8, b"\xf0" * 8, b"\xf0\xff" + b"\0" * 6, address_of_data):
                result = self.start(self.write_program(folder, (value, wrong)))
                self.assertEqual(result.returncode, 3, result)
                # The second line is that of the library of the program, which asks the driver for private tables.
                self.assertRegex(result.stderr, "^cubind: cubind-sim: .*/proc/self/exe: .*cudaFree.*\n.*cuGetExportTable: .*\n$")

    def test_keeps_the_protection_of_the_code(self):
        flags = code_segment_offset(pathlib.Path(program).read_bytes()) + 4
        with tempfile.TemporaryDirectory() as folder:
            writable = self.write_program(folder, (flags, b"\7"))
            result = self.start(writable, "write")
        self.assertEqual((result.stdout, result.stderr, result.returncode), (REDIRECTED, "", 0))
        self.assertEqual(self.start(program, "write").returncode, -11)

    def test_leaves_a_library_whose_file_is_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            loaded, other = pathlib.Path(folder, "loaded.so"), pathlib.Path(folder, "other.so")
            shutil.copy(library, loaded)
            shutil.copy(older, other)  # which names functions, too, at other addresses
            content = bytearray(pathlib.Path(library).read_bytes())
            begin, = struct.unpack_from("<Q", content, symbol_offset(content, "cudaFree") + 8)
            segment = code_segment_offset(content)
            offset, address = struct.unpack_from("<QQ", content, segment + 8)
            content[begin - address + offset] ^= 0xff
            for replacement in (pathlib.Path(program).read_bytes(), bytes(content)):
                shutil.copy(library, loaded)
                other.write_bytes(replacement)
                audits = f"{audit}:{pathlib.Path(launcher).resolve().parents[2] / 'sim/libcubind_sim_compilers.so'}"
                variables = {"LD_AUDIT": audits, "CUBIND_TEST_REPLACED": str(loaded), "CUBIND_TEST_REPLACEMENT": str(other)}
                result = subprocess.run([sys.executable, "-c", OPENED, loaded], env=os.environ | variables, capture_output=True,
                                        text=True, timeout=60, check=False)
                self.assertFalse(other.exists())
                self.assertEqual(result.returncode, 3, result)
                self.assertRegex(result.stderr, "^cubind: cubind-sim: cannot redirect .*/loaded.so: .*\n$")

    def test_opens_no_file_for_the_library_of_the_kernel(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(library, pathlib.Path(folder, "linux-vdso.so.1"))
            result = self.start("sh", "-c", 'cd "$0" && exec "$1"', folder, program)
        self.assertEqual((result.stdout, result.stderr, result.returncode), (REDIRECTED, "", 0))

    def test_redirects_first_calls_on_threads_and_in_a_child(self):
        result = self.start(program, "threads")
        self.assertEqual((result.stdout, result.stderr, result.returncode), ("64\n", "", 0))
        result = self.start(program, "fork")
        self.assertEqual((result.stdout, result.stderr, result.returncode), (2 * REDIRECTED, "", 0))

    def test_searches_again_after_a_failure(self):
        result = self.start(program, "descriptors")
        self.assertEqual((result.stdout, result.returncode), ("303, 0 2\n", 0))
        self.assertRegex(result.stderr, "^cubind: cubind-sim: cudaGetDeviceCount .*\n$")

    def test_redirects_without_standard_files(self):
        for closed in ("0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"):
            self.assertEqual(self.start("sh", "-c", f'exec "$0" {closed}', program).returncode, 0, closed)

    def test_reports_that_the_simulated_library_cannot_be_loaded(self):
        with tempfile.TemporaryDirectory() as folder:
            simulation = pathlib.Path(folder, "sim")
            shutil.copytree(pathlib.Path(launcher).resolve().parents[2] / "sim", simulation)
            content = bytearray((simulation / "libcudart.so.13").read_bytes())
            content[18] ^= 0xff  # the kind of processor
            (simulation / "libcudart.so.13").write_bytes(content)
            result, described = [
                subprocess.run([program, *action], env=os.environ | {"LD_AUDIT": str(simulation / "libcubind_sim_compilers.so")},
                               capture_output=True, text=True, timeout=60, check=False) for action in ([], ["describe"])
            ]
        self.assertEqual((result.stdout, result.returncode), ("303 0, 303 0 0 0, 303\n", 0))
        self.assertRegex(result.stderr, "^cubind: cubind-sim: cudaGetDeviceCount of the simulated .*libcudart.so.13.*\n$")
        self.assertEqual((described.stdout, described.returncode), ("the simulated runtime library cannot be loaded, 0 3\n", 0))


if __name__ == "__main__":
    unittest.main()
