// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Installs the simulated driver for the example core/cooperative_launch before main() and implements its kernel in C++.
#include <cubind/sim/install.hpp>
#include <cubind/sim/kernels.hpp>

#include <algorithm>
#include <numeric>

namespace {

namespace sim = cubind::sim;

[[maybe_unused]] const bool is_installed = [] {
    sim::install();
    sim::define_kernel("normalize", [](const sim::Launch& launch, const unsigned* in, double* out, unsigned long long* sum,
                                       unsigned* arrived, unsigned n) {
        const auto numbers = launch.memory(in, n);
        const auto total = std::accumulate(numbers.begin(), numbers.end(), launch.memory(sum, 1)[0]);
        launch.memory(sum, 1)[0] = total;
        launch.memory(arrived, 1)[0] += launch.grid.x;
        std::ranges::transform(numbers, launch.memory(out, n).begin(),
                               [total](unsigned number) { return static_cast<double>(number) / static_cast<double>(total); });
    });
    return true;
}();

}  // namespace
