// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Installs the simulated driver for the example core/streams_and_events before main() and implements its kernel in C++.
#include <cubind/sim/install.hpp>
#include <cubind/sim/kernels.hpp>

namespace {

namespace sim = cubind::sim;

[[maybe_unused]] const bool is_installed = [] {
    sim::install();
    sim::define_kernel("square", [](const sim::Launch& launch, const float* in, float* out, std::size_t n) {
        const auto numbers = launch.memory(in, n);
        const auto squares = launch.memory(out, n);
        for (std::size_t i = 0; i < n; ++i) squares[i] = numbers[i] * numbers[i];
    });
    return true;
}();

}  // namespace
