# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Base class of tests that compile short statements: some must be rejected with a certain message, others must compile.

A test script beside this module defines a subclass with a PREAMBLE and calls main(). Its usage: SCRIPT COMPILER INCLUDE_DIR...
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

COMPILER, *INCLUDE_DIRS = sys.argv[1:]
COMMAND = [COMPILER, "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-Wno-unused-variable",
           *(f"-I{each}" for each in INCLUDE_DIRS)]
if "clang" in COMPILER:
    COMMAND.append("-ferror-limit=0")


class StatementTest(unittest.TestCase):
    PREAMBLE = ""  # headers and declarations that the statements use; the statements form the body of a function behind it

    @classmethod
    def setUpClass(cls):
        """Precompiles the preamble, because it takes much longer to compile than the statements."""
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.header = pathlib.Path(cls.folder.name) / "preamble.hpp"
        cls.header.write_text(cls.PREAMBLE, encoding="utf-8")
        suffix = ".pch" if "clang" in COMPILER else ".gch"
        subprocess.run([*COMMAND, "-x", "c++-header", cls.header, "-o", f"{cls.header}{suffix}"], check=True)

    def compile(self, statements):
        """Compiles the statements, one per line and each in a block, and returns the result and the line number of the first."""
        head = "void use_statements() {\n"
        program = head + "".join(f"{{ {statement} }}\n" for statement in statements) + "}\n"
        command = [*COMMAND, "-fsyntax-only", "-Winvalid-pch", "-include", self.header, "-x", "c++", "-"]
        return subprocess.run(command, input=program, capture_output=True, text=True), head.count("\n") + 1

    def assert_rejected(self, messages):
        """Checks that each statement (key) causes an error with the message (value, a regular expression).

        An error in a header counts for the statement that the compiler names in its context. Each such statement requires a
        separate error."""
        result, first = self.compile(messages)
        self.assertNotEqual(result.returncode, 0, "every statement compiled")
        errors = [line for line in result.stderr.splitlines() if re.search(r"\berror: ", line)]
        indirect = [error for error in errors if not error.startswith("<stdin>:")]
        rejected_in_headers = {}
        for line, (statement, message) in enumerate(messages.items(), first):
            if any(error.startswith(f"<stdin>:{line}:") and re.search(message, error) for error in errors):
                continue
            self.assertIn(f"<stdin>:{line}:", result.stderr, f"no error for: {statement}")
            rejected_in_headers.setdefault(message, []).append(statement)
        for message, statements in rejected_in_headers.items():
            found = [error for error in indirect if re.search(message, error)]
            self.assertEqual(len(found), len(statements), f"'{message}', expected for {statements}:\n{result.stderr[:6000]}")

    def assert_compiles(self, *statements):
        result, _ = self.compile(statements)
        self.assertEqual(result.returncode, 0, result.stderr[:3000])


def main():
    unittest.main(argv=sys.argv[:1])
