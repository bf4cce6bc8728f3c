# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that -fno-exceptions removes check() and Error and nothing else.

usage: no_exceptions_test.py COMPILER INCLUDE_DIR...
"""
import subprocess
import sys
import unittest

COMPILER, *INCLUDE_DIRS = sys.argv[1:]

PREAMBLE = """
#include <cubind/check.hpp>
#include <cubind/driver.hpp>
#include <cubind/failure.hpp>
#include <cubind/tuple.hpp>
"""
USES_CHECK = "auto use() { return cubind::check(cubind::driver::cuMemAlloc(64)); }"
USES_ERROR = "void use(cubind::Error&);"
USES_THE_REST = """
int use() {
    auto [status, memory] = cubind::driver::cuMemAlloc(64);
    auto result = cubind::driver::cuMemGetInfo();
    const char* text = cubind::driver::to_string(status);
    return get<1>(result) > memory && text != nullptr && cubind::last_failure().status != 0;
}
"""


def compile_text(text, *options):
    command = [COMPILER, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror",
               *(f"-I{each}" for each in INCLUDE_DIRS), *options, "-x", "c++", "-"]
    return subprocess.run(command, input=PREAMBLE + text, capture_output=True, text=True)


class NoExceptionsTest(unittest.TestCase):
    def test_declares_both_with_exceptions(self):
        for text in (USES_CHECK, USES_ERROR, USES_THE_REST):
            result = compile_text(text)
            self.assertEqual(result.returncode, 0, result.stderr[:3000])

    def test_declares_neither_without_exceptions(self):
        for text, name in ((USES_CHECK, "check"), (USES_ERROR, "Error")):
            result = compile_text(text, "-fno-exceptions")
            self.assertNotEqual(result.returncode, 0, name)
            self.assertIn(name, result.stderr)

    def test_declares_the_rest_without_exceptions_and_type_information(self):
        result = compile_text(USES_THE_REST, "-fno-exceptions", "-fno-rtti")
        self.assertEqual(result.returncode, 0, result.stderr[:3000])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
