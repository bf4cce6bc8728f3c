// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Installs the simulated driver with two devices for the example core/peer_copy before main() and implements its kernel in C++.
#include <cubind/sim/install.hpp>
#include <cubind/sim/kernels.hpp>

namespace {

namespace sim = cubind::sim;

[[maybe_unused]] const bool is_installed = [] {
    sim::install();
    sim::define_kernel("triple", [](const sim::Launch& launch, const unsigned* in, unsigned* out, std::size_t n) {
        const auto numbers = launch.memory(in, n);
        const auto results = launch.memory(out, n);
        for (std::size_t i = 0; i < n; ++i) results[i] = 3 * numbers[i];
    });
    return true;
}();

}  // namespace
