# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that tests of the vendor's headers find no header in the folders of the machine.

usage: search_path_test.py COMPILER
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

COMPILER = sys.argv.pop(1)


class SearchPathTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.headers = pathlib.Path(folder.name, "local/include")
        self.headers.mkdir(parents=True)
        (self.headers / "of_the_machine.h").write_text("int of_the_machine();\n", encoding="utf-8")
        # A compiler that searches the folder by default, as g++ searches /usr/local/include.
        self.compiler = pathlib.Path(folder.name, "compiler")
        self.compiler.write_text(f'#!/bin/sh\ncase " $* " in *" -nostdinc "*) ;; *) set -- -idirafter {self.headers} "$@" ;; esac\n'
                                 f'exec {COMPILER} "$@"\n', encoding="utf-8")
        self.compiler.chmod(0o755)

    def compiles(self, header, *options):
        command = [self.compiler, *options, "-fsyntax-only", "-x", "c++", "-std=c++20", "-"]
        return subprocess.run(command, input=f"#include <{header}>\n", text=True, capture_output=True, check=False).returncode == 0

    def options(self):
        """Returns the options that a new process prints, in which a variable names the folder, too."""
        environment = {**os.environ, "CPATH": str(self.headers)}
        script = pathlib.Path(__file__).with_name("search_path.py")
        text = subprocess.run([sys.executable, "-B", script, self.compiler], env=environment, check=True, capture_output=True, text=True).stdout
        return text.split("\n")[:-1]

    def test_the_compiler_finds_the_header_without_the_options(self):
        self.assertTrue(self.compiles("of_the_machine.h"))

    def test_the_compiler_does_not_find_the_header_with_the_options(self):
        self.assertFalse(self.compiles("of_the_machine.h", *self.options()))

    def test_the_compiler_finds_its_own_headers_with_the_options(self):
        for header in ("cstdint", "stddef.h", "memory", "stdlib.h"):
            with self.subTest(header):
                self.assertTrue(self.compiles(header, *self.options()))


unittest.main()
