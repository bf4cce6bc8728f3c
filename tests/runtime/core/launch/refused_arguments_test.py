# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""What a kernel cannot be given does not compile, and the message says what to give it instead.

usage: refused_arguments_test.py COMPILER INCLUDE_DIR...
"""
import subprocess
import sys
import unittest

COMPILER, *INCLUDE_DIRS = sys.argv[1:]

PROGRAM = """
#include <cubind/core/checked_launch.hpp>
#include <cubind/core/event.hpp>
#include <cubind/core/kernel_function.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
using namespace cubind;
struct Reals {{ float values[4]; }};
struct Constructed {{ Constructed(const Constructed&); int value; }};
struct Maker {{ std::u16string kernel_argument() const; }};
extern Constructed constructed;
void on_host(int);
void use(StreamRef stream, const LaunchConfig& config, const Kernel& kernel) {{
    int number = 1;
    float reals[4] = {{}};
    (void)number, (void)reals, (void)stream, (void)config;
    {}
}}
"""

FIRST_LINE = PROGRAM.splitlines().index("    {}") + 1

REFUSED = {
    'std::string("text")': "copy it to a Buffer",
    'std::string_view("text")': "copy it to a Buffer",
    '"text"': "an array cannot be",
    "std::vector<int>{1}": "copy it to a Buffer",
    "reals": "an array cannot be",
    "1.0L": "pass a double",
    "on_host": "a function of the host",
    "&on_host": "a function of the host",
    "[] {}": "a lambda of the host",
    "[&number](auto) { return number; }": "a lambda of the host",
    "std::ref(number)": "a reference would lead",
    "std::make_unique<int>(1)": "trivially copyable",
    "std::make_shared<int>(1)": "trivially copyable",
    "std::function<void()>()": "trivially copyable",
    "Stream::from_native_handle(nullptr)": "trivially copyable",
    "constructed": "trivially copyable",
    "Maker{}": "copy it to a Buffer",
}
ALLOWED = ["1", "1.0f", "true", "nullptr", "&number", "&reals[0]", "Reals{}", "driver::CUdeviceptr{1}", "driver::CUtensorMap{}"]


def compile_statements(*statements):
    """Each on a line of its own, after the program's line FIRST_LINE - 1."""
    command = [COMPILER, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror",
               *(f"-I{each}" for each in INCLUDE_DIRS), "-x", "c++", "-"]
    if "clang" in COMPILER:
        command.append("-ferror-limit=0")
    return subprocess.run(command, input=PROGRAM.format("\n".join(statements)), capture_output=True, text=True)


class RefusedArgumentsTest(unittest.TestCase):
    def refused(self, messages):
        """Each statement has an error, and there are as many of each message as there should be."""
        result = compile_statements(*messages)
        self.assertNotEqual(result.returncode, 0)
        for line, statement in enumerate(messages, FIRST_LINE):
            self.assertIn(f"<stdin>:{line}:", result.stderr, statement)
        for message in set(messages.values()):
            errors = [line for line in result.stderr.splitlines() if "error: static" in line and message in line]
            self.assertEqual(len(errors), list(messages.values()).count(message), message)

    def test_launch_refuses(self):
        self.refused({f"launch(stream, config, kernel, 1, {argument});": message for argument, message in REFUSED.items()})

    def test_checked_launch_refuses_the_same(self):
        self.refused({"checked_launch(stream, config, kernel, std::vector<int>{1});": "copy it to a Buffer"})

    def test_what_is_right_compiles(self):
        arguments = ", ".join(ALLOWED)
        result = compile_statements(*(f"{launch}(stream, config, kernel, {arguments});" for launch in ("launch", "checked_launch")))
        self.assertEqual(result.returncode, 0, result.stderr[:3000])

    def test_a_signature_has_values(self):
        self.refused({
            "KernelFunction<void(int&)> first(kernel);": "by value",
            "KernelFunction<void(std::shared_ptr<int>)> second(kernel);": "trivially copyable",
            "KernelFunction<void(long double)> third(kernel);": "pass a double",
        })

    def test_a_function_takes_what_converts(self):
        declared = "KernelFunction<void(float*, const float*, std::size_t)> function(kernel); "

        def calls(*arguments):
            return compile_statements(declared, *(f"function(stream, {{.grid = 1}}, {each});" for each in arguments))

        right = calls("&reals[0], std::span<const float>(reals), 4", "nullptr, &reals[0], number > 0 ? 4u : 2u",
                      "std::span(reals), std::span(reals), 4ul")
        self.assertEqual(right.returncode, 0, right.stderr[:3000])
        wrong = ("std::span<const float>(reals), nullptr, 1", "&number, nullptr, 1", "nullptr, nullptr", "1, nullptr, 1")
        result = calls(*wrong)
        for line, arguments in enumerate(wrong, FIRST_LINE + 1):
            self.assertRegex(result.stderr, f"<stdin>:{line}:[0-9]+: error", arguments)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
