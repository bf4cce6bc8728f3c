# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Tests that scripts/ccache-launcher never returns a precompiled header of other headers.

usage: ccache_launcher_test.py REPOSITORY
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

LAUNCHER = pathlib.Path(sys.argv.pop(1)) / "scripts/ccache-launcher"

# What scripts/lib.sh sets.
SETTINGS = {
    "CCACHE_SLOPPINESS": "pch_defines,time_macros",
    "CCACHE_PCH_EXTSUM": "1",
}


@unittest.skipUnless(shutil.which("ccache") and shutil.which("g++"), "ccache and g++ are not installed")
class PrecompiledHeaders(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        (self.folder / "cmake_pch.hxx").write_text('#include "value.hpp"\n')
        (self.folder / "cmake_pch.hxx.cxx").write_text("/* the file that CMake compiles */\n")
        (self.folder / "use.cpp").write_text('#include "value.hpp"\nint result = value;\n')

    def run_through(self, launcher, depend, *arguments):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("CCACHE_")}
        environment |= SETTINGS | {"CCACHE_DIR": str(self.folder / "cache")}
        if depend:
            environment["CCACHE_DEPEND"] = "1"
        command = [*launcher, "g++", "-MD", *arguments]
        done = subprocess.run(command, cwd=self.folder, env=environment, check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def precompile(self, launcher=(str(LAUNCHER),), depend=True):
        self.run_through(
            launcher, depend, "-fpch-preprocess", "-x", "c++-header", "-MT", "cmake_pch.hxx.gch", "-MF", "cmake_pch.hxx.gch.d",
            "-include", str(self.folder / "cmake_pch.hxx"), "-o", "cmake_pch.hxx.gch",
            "-c", str(self.folder / "cmake_pch.hxx.cxx"))

    def compile_use(self):
        self.run_through(
            (str(LAUNCHER),), True, "-include", str(self.folder / "cmake_pch.hxx"), "-MT", "use.o", "-MF", "use.d",
            "-o", "use.o", "-c", str(self.folder / "use.cpp"))

    def write_header(self, comment):
        """Changes a comment, which no preprocessed text shows, but which g++ compares before it skips a header."""
        header = self.folder / "value.hpp"
        header.write_text(f"#pragma once\nconstexpr int value = 1;  // {comment}\n")
        os.utime(header, (1e9, 1e9))  # ccache does not remember headers that are newer than the compile

    def test_compiles_changed_headers_again(self):
        for comment in ("first", "second", "first", "third"):
            self.write_header(comment)
            self.precompile()
            self.compile_use()

    def test_ignores_precompiled_headers_in_the_cache(self):
        """ccache alone returns the precompiled header of the first comment for the second one, and stores that."""
        for comment in ("first", "second"):
            self.write_header(comment)
            self.precompile(("ccache",), depend=False)
            (self.folder / "cmake_pch.hxx.gch").unlink()
        self.precompile()
        self.compile_use()

    def test_checksum_depends_on_headers_alone(self):
        checksums = []
        for comment in ("first", "second", "first"):
            self.write_header(comment)
            self.precompile()
            checksums.append((self.folder / "cmake_pch.hxx.gch.sum").read_text())
        self.assertNotEqual(checksums[0], checksums[1])
        self.assertEqual(checksums[0], checksums[2])


if __name__ == "__main__":
    unittest.main()
