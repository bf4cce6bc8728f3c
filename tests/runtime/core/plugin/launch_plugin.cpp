// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A plugin that launches kernels and is linked without a list of its exported symbols. It uses nothing of the standard library
// that has static variables in headers. plugin_tests.cpp loads and unloads it.

#include <cubind/core.hpp>

#include <cstdio>
#include <exception>

using namespace cubind;

namespace {

constexpr const char* code =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .global .align 4 .u32 value = 7;\n"
    ".visible .entry kernel(.param .u64 p, .param .u32 n) { ret; }\n";

/// Uses the variables of cubind's headers: sizes of arguments, limits, traits of memory and of graph nodes.
void run() {
    const Device device;
    const Stream stream(device);
    const auto buffer = device.allocate<int>(stream, 4);
    const ObjectCode program = ObjectCode::from_bytes(CodeType::ptx, code);
    const Kernel kernel = program.kernel("kernel");
    launch(stream, {.grid = 1, .block = 1}, kernel, buffer, 4u);
    KernelFunction<void(int*, unsigned int)>(kernel, device)(stream, {}, buffer, 4u);
    int values[4] = {};
    copy(stream, values, buffer);
    stream.synchronize();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int cubind_test_plugin() {
    try {
        run();
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
