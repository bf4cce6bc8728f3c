// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads arbitrary bytes as a cubin.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "objects/module/cubin/cubin.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const cubind::sim::CubinReading reading = cubind::sim::read_cubin(bytes);
    std::size_t contents = 0;
    for (const auto& variable : reading.image.variables) contents += variable.initial.size();
    constexpr std::size_t max_reads = 8;
    if (contents > max_reads * size) std::abort();
    if (reading.problem.empty() && !cubind::sim::is_cubin(data)) std::abort();
    return 0;
}
