// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Compiles two units separately to relocatable machine code and links them: a kernel, and the function that it calls. If
// a unit is missing, the linker's error names the undefined symbol.

#include <cubind/core.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr std::size_t n = 100000;

const char* const library_source = R"(
extern "C" __device__ float helper(float x)
{
    return x * x;
}
)";

const char* const kernel_source = R"(
extern "C" __device__ float helper(float x);  // in the other unit

extern "C" __global__ void main_kernel(float* data, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) {
        data[i] = helper(data[i]);
    }
}
)";

ObjectCode compile(const std::string& arch, const char* source, const char* name) {
    Program program(source, {.name = name, .arch = arch, .relocatable_device_code = true});
    const ObjectCode unit = program.compile(CodeType::cubin);
    std::printf("%-11s %zu bytes of %s for %s\n", name, unit.bytes().size(), to_string(unit.kind()), arch.c_str());
    return unit;
}

// Returns the first line of the log that names the symbol, or an empty string if linking succeeds.
std::string complaint(const ObjectCode& unit, const std::string& arch, const std::string& symbol) {
    try {
        static_cast<void>(Linker({unit}, {.arch = arch}).link());
    } catch (const LinkError& error) {
        const std::string text = error.what();
        const std::size_t at = text.find(symbol);
        if (at == text.npos) return {};
        const std::size_t begin = text.rfind('\n', at) + 1;  // 0 in the first line
        return text.substr(begin, text.find('\n', at) - begin);
    }
    return {};
}

int separate_compilation() {
    const Device device;
    const std::string arch = "sm_" + device.arch();
    const ObjectCode library = compile(arch, library_source, "library.cu");
    const ObjectCode kernel_unit = compile(arch, kernel_source, "kernel.cu");

    const std::string missing = complaint(kernel_unit, arch, "helper");
    std::printf("without library.cu: %s\n", missing.c_str());

    Linker linker({kernel_unit, library}, {.name = "linked", .arch = arch});
    const ObjectCode linked = linker.link();
    std::printf("%s linked both: %zu bytes of %s\n", to_string(linker.backend()), linked.bytes().size(),
                to_string(linked.kind()));
    if (!linker.fallback_reason().empty()) std::printf("nvJitLink was not used: %s\n", linker.fallback_reason().c_str());

    // Whole numbers whose squares are exact in a float.
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % 4096);
    const std::vector<float> before = values;

    const Stream stream(device);
    TypedBuffer<float> data = device.allocate<float>(stream, n);
    copy(stream, data, values);
    const Kernel kernel = linked.kernel("main_kernel");
    launch(stream, {.grid = blocks_for(n, 256), .block = 256}, kernel, data, n);
    copy(stream, values, data);
    stream.synchronize();

    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += values[i] != before[i] * before[i];
    std::printf("main_kernel uses %d registers per thread; %zu of %zu results are wrong\n", kernel.attributes(device).num_regs(),
                wrong, n);
    return example::verdict(wrong == 0 && !missing.empty(),
                            "the linked kernel squares every number, and the error without the library names helper");
}

}  // namespace

int main() {
    return example::run(separate_compilation);
}
