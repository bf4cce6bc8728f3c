// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses arbitrary text with the PTX reader of the simulated driver.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "ptx/reader.hpp"
#include "ptx/target.hpp"

namespace {

namespace ptx = cubind::sim::ptx;

void require(bool condition) {
    if (!condition) std::abort();
}

// Checks the invariants that the rest of the driver relies on.
void check(const ptx::Image& image) {
    for (const ptx::Kernel& kernel : image.kernels) {
        std::size_t end = 0;
        for (const auto& parameter : kernel.parameters) {
            require(parameter.offset >= end);
            end = parameter.offset + parameter.size;
        }
        require(end <= kernel.parameter_bytes);
    }
    for (const ptx::Variable& variable : image.variables) {
        require(variable.initial.size() <= variable.size);
        for (const ptx::Relocation& relocation : variable.relocations) {
            require(relocation.offset + sizeof(void*) <= variable.initial.size());
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    ptx::looks_like_ptx(text);
    constexpr int newest = 9040;
    const ptx::ReadResult reading = ptx::read(text, newest);
    require(reading.problem.empty() == (reading.status == cubind::driver::CUDA_SUCCESS));
    check(reading.image);
    ptx::find_target_problem(reading.image, 90);
    return 0;
}
