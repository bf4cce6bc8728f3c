// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A plugin that launches kernels and is linked without a list of its exported symbols. It uses nothing of the standard library
// that has static variables in headers. plugin_tests.cpp loads and unloads it.

#include <cubind/core.hpp>
#include <cubind/kernels.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>

using namespace cubind;

// What a header of cubind-gen declares: code that takes device memory while it is loaded.
namespace kernels {
inline namespace of_plugin_cu {

CUBIND_HIDDEN inline constexpr char text[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .global .align 4 .b8 table[1048576];\n"
    ".visible .entry embedded(.param .u64 p) { ret; }\n";
CUBIND_HIDDEN inline constinit const EmbeddedCode code({.name = "plugin.ptx",
                                                        .code = {text, sizeof text - 1},
                                                        .compiled = CodeType::ptx});
CUBIND_HIDDEN inline const EmbeddedCodeScope scope(code);
CUBIND_HIDDEN inline constinit const EmbeddedKernel<void(int*)> embedded{code, "embedded"};

}  // namespace of_plugin_cu
}  // namespace kernels

namespace {

/// Returns whether the device has as much free memory as when the first copy of the plugin was loaded, but for buffers that are
/// still being freed. The code of one copy takes a mebibyte.
bool has_released_memory(const Device& device) {
    constexpr const char* variable = "CUBIND_TEST_FREE_MEMORY";
    const std::size_t free = device.memory_info().free;
    const char* const first = std::getenv(variable);
    if (first == nullptr) {
        char text[32];
        std::snprintf(text, sizeof text, "%zu", free);
        return setenv(variable, text, 1) == 0;
    }
    if (std::strtoull(first, nullptr, 10) - free < 1 << 20) return true;
    std::fprintf(stderr, "%zu bytes are free, and %s were\n", free, first);
    return false;
}

constexpr const char* code =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .global .align 4 .u32 value = 7;\n"
    ".visible .entry kernel(.param .u64 p, .param .u32 n) { ret; }\n";

/// Uses the variables of cubind's headers: sizes of arguments, limits, traits of memory and of graph nodes. Returns whether the
/// copies of the plugin that were loaded before have unloaded their code.
bool run() {
    const Device device;
    if (!has_released_memory(device)) return false;
    const Stream stream(device);
    const auto buffer = device.allocate<int>(stream, 4);
    const ObjectCode program = ObjectCode::from_bytes(CodeType::ptx, code);
    const Kernel kernel = program.kernel("kernel");
    launch(stream, {.grid = 1, .block = 1}, kernel, buffer, 4u);
    KernelFunction<void(int*, unsigned int)>(kernel, device)(stream, {}, buffer, 4u);
    kernels::embedded(stream, {}, buffer);
    int values[4] = {};
    copy(stream, values, buffer);
    stream.synchronize();
    return true;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int cubind_test_plugin() {
    try {
        return run() ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
}
