// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Installs the simulated driver for the example core/occupancy before main() and implements its kernel in C++.
#include <cubind/sim/install.hpp>
#include <cubind/sim/kernels.hpp>

#include <algorithm>

namespace {

namespace sim = cubind::sim;

[[maybe_unused]] const bool is_installed = [] {
    sim::install();
    sim::define_kernel("reverse_parts", [](const sim::Launch& launch, const float* in, float* out) {
        const std::size_t n = std::size_t{launch.grid.x} * launch.block.x;
        const auto numbers = launch.memory(in, n);
        const auto reversed = launch.memory(out, n);
        for (std::size_t first = 0; first < n; first += launch.block.x) {
            const auto part = numbers.subspan(first, launch.block.x);
            std::reverse_copy(part.begin(), part.end(), reversed.begin() + static_cast<std::ptrdiff_t>(first));
        }
    });
    return true;
}();

}  // namespace
