// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the PTX in arbitrary bytes that begin like a fat binary.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "objects/module/fat_binary.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const cubind::sim::FatBinaryCode found =
        cubind::sim::find_code({reinterpret_cast<const char*>(data), size}, 90, size % 2 == 0);
    if (found.problem.empty() != (found.status == cubind::driver::CUDA_SUCCESS)) std::abort();
    return 0;
}
