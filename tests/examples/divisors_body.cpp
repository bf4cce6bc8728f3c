// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Installs the simulated driver for the example 04_link_time_optimization and implements its kernel in C++.
#include <cubind/sim/install.hpp>
#include <cubind/sim/kernels.hpp>

namespace {

namespace sim = cubind::sim;

unsigned greatest_common_divisor(unsigned a, unsigned b) {
    while (b != 0) {
        const unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

[[maybe_unused]] const bool is_installed = [] {
    sim::install();
    sim::define_kernel("divisors", [](const sim::Launch& launch, unsigned fixed_number, unsigned* out, unsigned count) {
        const auto result = launch.memory(out, count);
        for (unsigned i = 0; i < count; ++i) result[i] = greatest_common_divisor(fixed_number, i + 1);
    });
    return true;
}();

}  // namespace
