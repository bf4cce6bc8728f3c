# SPDX-FileCopyrightText: The cubind authors
# SPDX-License-Identifier: Apache-2.0
"""Arguments that cannot be passed to a kernel do not compile, and the diagnostic states what to pass instead.

usage: refused_arguments_test.py COMPILER INCLUDE_DIR...
"""
from compiled_statements import StatementTest, main

REFUSED = {
    'std::string("text")': "copy it to a Buffer",
    'std::string_view("text")': "copy it to a Buffer",
    '"text"': "an array cannot be",
    "std::vector<int>{1}": "copy it to a Buffer",
    "reals": "an array cannot be",
    "1.0L": "pass a double",
    "on_host": "a host function",
    "&on_host": "a host function",
    "[] {}": "a lambda or function object",
    "[&number](auto) { return number; }": "a lambda or function object",
    "std::ref(number)": "a reference refers",
    "std::make_unique<int>(1)": "trivially copyable",
    "std::make_shared<int>(1)": "trivially copyable",
    "std::function<void()>()": "a lambda or function object",
    "[number] { return number; }": "a lambda or function object",
    "Private()": "a lambda or function object",
    "Overloaded()": "a lambda or function object",
    "Generic()": "a lambda or function object",
    "Hidden()": "a lambda or function object",
    "Final()": "a lambda or function object",
    "Derived()": "a lambda or function object",
    "Stream::from_native_handle(nullptr)": "trivially copyable",
    "constructed": "trivially copyable",
    "Maker{}": "copy it to a Buffer",
}
LAUNCH_FUNCTIONS = ["launch", "launch_unchecked", "launch_validated"]
ALLOWED = ["1", "1.0f", "true", "nullptr", "&number", "&reals[0]", "Reals{}", "driver::CUdeviceptr{1}", "driver::CUtensorMap{}",
           "Adder{1}", "WithArgument()", "lambda_like(1)", "Floats()", "Ints()", "floats", "ints"]

NO_MATCH = r"no match|no matching|could not convert|cannot convert|too few arguments"


class RefusedArgumentsTest(StatementTest):
    PREAMBLE = """
#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
using namespace cubind;
struct Reals { float values[4]; };
struct Constructed { Constructed(const Constructed&); int value; };
struct Maker { std::u16string kernel_argument() const; };
struct Adder { int by; int operator()(int value) const { return by + value; } };
class Private { int by = 0; public: int operator()(int value) const { return by + value; } };
class Overloaded { int by = 0; public: int operator()(int) const; float operator()(float) const; };
class Generic { int by = 0; public: template <class Type> Type operator()(Type value) const; };
class Hidden { int by = 0; void operator()(); public: Hidden(); };
class Final final { int by = 0; public: int operator()(int) const; };
class Derived : public Generic { int more = 0; public: int get() const { return more; } };
class WithArgument { int by = 0; public: int operator()(int) const; int kernel_argument() const { return by; } };
struct lambda_like { int by; lambda_like(int); };
struct Floats { using element_type = float; driver::CUdeviceptr native_handle() const; };
struct Ints { using element_type = int; driver::CUdeviceptr native_handle() const; };
extern Constructed constructed;
extern TypedBuffer<float> floats;
extern TypedBuffer<int> ints;
void on_host(int);
extern const StreamRef stream;
extern const LaunchConfig config;
extern const Kernel kernel;
extern int number;
extern float reals[4];
extern const KernelFunction<void(float*, const float*, std::size_t)> function;
"""

    def test_launch_refuses_each_argument(self):
        self.assert_rejected({f"launch(stream, config, kernel, 1, {argument});": message for argument, message in REFUSED.items()})

    def test_other_launch_functions_refuse_the_same_arguments(self):
        self.assert_rejected({
            "launch_unchecked(stream, config, kernel, std::vector<int>{1});": "copy it to a Buffer",
            "launch_validated(stream, config, kernel, std::vector<float>{1});": "copy it to a Buffer",
        })

    def test_accepts_right_arguments(self):
        arguments = ", ".join(ALLOWED)
        self.assert_compiles(*(f"{launch}(stream, config, kernel, {arguments});" for launch in LAUNCH_FUNCTIONS))

    def test_signatures_of_kernel_functions_have_values(self):
        self.assert_rejected({
            "KernelFunction<void(int&)> first(kernel, stream);": "by value",
            "KernelFunction<void(std::shared_ptr<int>)> second(kernel, stream);": "trivially copyable",
            "KernelFunction<void(long double)> third(kernel, stream);": "pass a double",
            "KernelFunction<void(Private)> fourth(kernel, stream);": "a lambda or function object",
        })

    def test_kernel_functions_accept_convertible_arguments(self):
        def calls(*arguments):
            return [f"function(stream, {{.grid = 1}}, {each});" for each in arguments]

        self.assert_compiles(*calls("&reals[0], std::span<const float>(reals), 4", "nullptr, &reals[0], number > 0 ? 4u : 2u",
                                    "std::span(reals), std::span(reals), 4ul", "Floats(), Floats(), 4", "floats, floats, 4"))
        self.assert_rejected(dict.fromkeys(
            calls("std::span<const float>(reals), nullptr, 1", "&number, nullptr, 1", "nullptr, nullptr", "1, nullptr, 1",
                  "Ints(), nullptr, 1", "nullptr, Ints(), 1", "ints, nullptr, 1", "nullptr, ints, 1"), NO_MATCH))

    def test_kernel_functions_require_a_device_or_a_stream(self):
        self.assert_compiles("KernelFunction<void(int)> first(kernel, stream);", "KernelFunction<void(int)> second(kernel, Device(1));")
        self.assert_rejected({"KernelFunction<void(int)> first(kernel);": NO_MATCH,
                              "KernelFunction<void(int)> second(kernel, 1);": r"deleted"})


if __name__ == "__main__":
    main()
